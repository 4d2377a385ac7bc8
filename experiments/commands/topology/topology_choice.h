#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "network/topology/topology.h"

namespace weir::experiments::commands {

/// What the command line says about which topology is meant: a file, or a topology's name with what
/// makes it.
struct TopologyRequest {
    std::string file;  ///< an experiment (.toml) or a graph (.graphml, .dot, .gv); empty: none
    std::vector<std::string> set_options;  ///< of an experiment
    std::string name;                      ///< "torus"; empty: none
    std::vector<std::int64_t> dimensions;  ///< as network.dimensions; empty: not said
    std::optional<std::int64_t> nodes;     ///< instead, where dimensions only say how many nodes
    std::optional<std::int64_t> arity;     ///< of a butterfly and a fat tree

    /// The names that `name` may be.
    [[nodiscard]] static const std::vector<std::string>& names();
};

/// The topologies that are meant: those of an experiment's points (kinds::topologies_of), else one.
/// Throws setup::UserFault.
[[nodiscard]] std::vector<network::Topology> chosen_topologies(const TopologyRequest& request);

}  // namespace weir::experiments::commands
