#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "network/topology/metrics.h"
#include "network/topology/network_distance.h"

namespace weir::experiments::pages {

/// Mean distance in a network of LogP, Section 5.1, with about the requested number of processors:
/// by the paper's formula, and by breadth-first search.
struct NetworkDistances {
    network::NetworkTopology kind;
    double formula_hops = 0.0;  ///< formula's value for the requested number of processors
    /// Values of the network that is built; absent if no network has a number of processors near
    /// the requested one.
    struct Searched {
        std::string title;  ///< "torus 10 x 10 x 10"
        std::size_t nodes = 0;
        network::Distances distances;
        /// Exact mean with pairs of a node and itself, if a closed form is known.
        std::optional<double> closed_form;
    };
    std::optional<Searched> searched;
};

/// Networks of LogP's table, in its order. Cubes and squares have the size nearest to the requested
/// number of processors; a fat tree may be partial. The number of processors is 2 to
/// kMostTopologyNodes.
[[nodiscard]] std::vector<NetworkDistances> network_distances(std::int64_t processors);

/// The table for a terminal of 80 columns.
[[nodiscard]] std::string distance_table(std::int64_t processors,
                                         const std::vector<NetworkDistances>& rows);
[[nodiscard]] nlohmann::ordered_json distance_document(std::int64_t processors,
                                                       const std::vector<NetworkDistances>& rows);

}  // namespace weir::experiments::pages
