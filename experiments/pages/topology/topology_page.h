#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "network/topology/metrics.h"
#include "network/topology/topology.h"

namespace weir::experiments::pages {

/// What there is to say about a topology.
struct TopologyFigures {
    network::Degrees degrees;
    std::size_t hop_channels = 0;
    network::Distances distances;
    network::Bisection bisection;
};
[[nodiscard]] TopologyFigures figures_of(const network::Topology& topology);

/// 80 columns wide.
[[nodiscard]] std::string topology_page(const network::Topology& topology,
                                        const TopologyFigures& figures);
[[nodiscard]] nlohmann::ordered_json topology_document(const network::Topology& topology,
                                                       const TopologyFigures& figures);

/// "8 channels each way, exact: the central cut, ..." or "..., an upper bound: ...".
[[nodiscard]] std::string bisection_text(const network::Bisection& bisection);

}  // namespace weir::experiments::pages
