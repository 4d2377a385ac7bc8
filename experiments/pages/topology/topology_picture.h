#pragma once

#include <cstddef>
#include <string>

#include "network/topology/metrics.h"
#include "network/topology/topology.h"

namespace weir::experiments::pages {

/// More would be no picture but a blot.
inline constexpr std::size_t kMostDrawnNodes = 4096;

/// The network as SVG, its parts where the topology has them (TopologyFamily::layout). The nodes'
/// two colours are the halves of the bisection.
[[nodiscard]] std::string topology_picture(const network::Topology& topology,
                                           const network::Bisection& bisection);

}  // namespace weir::experiments::pages
