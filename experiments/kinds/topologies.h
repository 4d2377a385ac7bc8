#pragma once

#include <optional>
#include <vector>

#include "experiments/setup/files/experiment_file.h"
#include "network/topology/topology.h"

namespace weir::experiments::kinds {

struct Setup;

/// The networks of a file's points, each once, in the order of the points. Points whose network has
/// no topology (network.model "delay" or "logp") are left out. Throws setup::UserFault for a faulty
/// file, and if no point is left.
[[nodiscard]] std::vector<network::Topology> topologies_of(const setup::ExperimentFile& file);

/// Distances and channels of a run's network.
struct NetworkReach {
    double mean_hops = 0.0;           ///< mean distance over ordered pairs of different nodes
    double bisection_channels = 0.0;  ///< channels across the bisection, in one direction
    double channels = 0.0;            ///< channels that are hops, each direction counted
};
/// Returns nullopt for a network without a topology.
[[nodiscard]] std::optional<NetworkReach> network_reach(const Setup& setup);

/// Mean distance over all pairs of a run's nodes, in hops, a node and itself included. Returns
/// nullopt for a network without a topology.
[[nodiscard]] std::optional<double> mean_distance_hops(const Setup& setup);

}  // namespace weir::experiments::kinds
