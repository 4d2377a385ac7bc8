#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "network/topology/topology.h"

namespace weir::experiments::commands {

/// Topology that the command line selects: a file, or a topology's name with its parameters.
struct TopologyRequest {
    std::string file;  ///< an experiment (.toml) or a graph (.graphml, .dot, .gv); empty: none
    std::vector<std::string> set_options;  ///< overridden keys of the experiment
    std::string name;                      ///< name of a topology, "torus"; empty: none
    std::vector<std::int64_t> dimensions;  ///< as in network.dimensions; empty: not given
    std::optional<std::int64_t> nodes;     ///< replaces dimensions where only their product matters
    std::optional<std::int64_t> arity;     ///< arity of a butterfly or a fat tree

    /// Accepted values of `name`.
    [[nodiscard]] static const std::vector<std::string>& names();
};

/// Selected topologies: those of an experiment's points (kinds::topologies_of), else a single one.
/// Throws setup::UserFault for a faulty file, and for options that give no topology.
[[nodiscard]] std::vector<network::Topology> chosen_topologies(const TopologyRequest& request);

}  // namespace weir::experiments::commands
