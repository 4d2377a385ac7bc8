#pragma once

#include <vector>

#include "experiments/setup/files/experiment_file.h"
#include "network/topology/topology.h"

namespace weir::experiments::kinds {

/// The networks of a file's points, each once, in the order of the points. Points whose network has
/// no topology (network.model "delay" or "logp") are left out. Throws setup::UserFault for a faulty
/// file, and if no point is left.
[[nodiscard]] std::vector<network::Topology> topologies_of(const setup::ExperimentFile& file);

}  // namespace weir::experiments::kinds
