#pragma once

#include <cstddef>
#include <string>

#include "network/topology/metrics.h"
#include "network/topology/topology.h"

namespace weir::experiments::pages {

/// Greatest network that is drawn; beyond it marks overlap.
inline constexpr std::size_t kMostDrawnNodes = 4096;

/// The network as SVG, laid out by TopologyFamily::layout. The nodes' two colours are the halves of
/// the bisection.
[[nodiscard]] std::string topology_picture(const network::Topology& topology,
                                           const network::Bisection& bisection);

}  // namespace weir::experiments::pages
