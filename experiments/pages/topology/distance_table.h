#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "network/topology/metrics.h"
#include "network/topology/network_distance.h"

namespace weir::experiments::pages {

/// A network of LogP's Section 5.1 with about so many processors: what the table's formula says of
/// the distance, and what breadth-first search finds.
struct NetworkDistances {
    network::NetworkTopology kind;
    double formula_hops = 0.0;  ///< of the processors asked for
    /// Of the network built; absent where none has so few, or so many, processors.
    struct Searched {
        std::string title;  ///< "torus 10 x 10 x 10"
        std::size_t nodes = 0;
        network::Distances distances;
        std::optional<double> closed_form;  ///< the exact mean with itself, where one is known
    };
    std::optional<Searched> searched;
};

/// Those of the table, in its order. Cubes and squares are the nearest to the processors asked for;
/// a fat tree may be partial. They are 2 to kMostTopologyNodes.
[[nodiscard]] std::vector<NetworkDistances> network_distances(std::int64_t processors);

/// 80 columns wide.
[[nodiscard]] std::string distance_table(std::int64_t processors,
                                         const std::vector<NetworkDistances>& rows);
[[nodiscard]] nlohmann::ordered_json distance_document(std::int64_t processors,
                                                       const std::vector<NetworkDistances>& rows);

}  // namespace weir::experiments::pages
