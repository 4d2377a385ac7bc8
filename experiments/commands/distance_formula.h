#pragma once

#include <optional>
#include <string>

#include "experiments/models/logp/network_distance.h"
#include "network/topology/topology.h"

namespace weir::experiments::commands {

/// A mean distance as LogP's Section 5.1 has it: over all pairs, a node and itself included,
/// without the terms that grow less than the leading one.
struct DistanceFormula {
    std::string text;  ///< "3/4 P^(1/3)"
    double hops = 0.0;
};

/// Of a topology's own P: hypercubes, butterflies and fat trees of any arity, meshes and tori of as
/// many nodes in each dimension. Nothing for others.
[[nodiscard]] std::optional<DistanceFormula> distance_formula(const network::Topology& topology);

/// A row of Section 5.1's table.
[[nodiscard]] std::string formula_text(models::NetworkTopology network);
/// As printed for 1,024 processors.
[[nodiscard]] double printed_distance(models::NetworkTopology network);

}  // namespace weir::experiments::commands
