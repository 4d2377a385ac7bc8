#pragma once

#include <cstddef>
#include <string>

#include "network/topology/metrics.h"
#include "network/topology/topology.h"

namespace weir::experiments::commands {

/// More would be no picture but a blot.
inline constexpr std::size_t kMostDrawnNodes = 4096;

/// The network as SVG: meshes, tori and hypercubes as grids (the third dimension repeats the grid
/// to the right, the fourth downwards, and so on; channels that skip routers are bent), butterflies
/// in stages from left to right, fat trees in levels from the leaves up, graphs on a circle with
/// their nodes around it. A line is a channel each way, or one with an arrow where there is none
/// back. The nodes' two colours are the halves of the bisection.
[[nodiscard]] std::string topology_picture(const network::Topology& topology,
                                           const network::Bisection& bisection);

}  // namespace weir::experiments::commands
