#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "network/topology/metrics.h"
#include "network/topology/topology.h"

namespace weir::experiments::pages {

/// Values that a page shows of a topology.
struct TopologyFigures {
    network::Degrees degrees;
    std::size_t hop_channels = 0;
    network::Distances distances;
    network::Bisection bisection;
};
[[nodiscard]] TopologyFigures figures_of(const network::Topology& topology);

/// The page for a terminal of 80 columns.
[[nodiscard]] std::string topology_page(const network::Topology& topology,
                                        const TopologyFigures& figures);
[[nodiscard]] nlohmann::ordered_json topology_document(const network::Topology& topology,
                                                       const TopologyFigures& figures);

/// Text of a bisection: "8 channels in each direction, exact: the central cut, ..." or
/// "..., an upper bound: ...".
[[nodiscard]] std::string bisection_text(const network::Bisection& bisection);

}  // namespace weir::experiments::pages
