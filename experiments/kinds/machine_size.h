#pragma once

#include <cstdint>
#include <vector>

#include "experiments/setup/files/experiment_file.h"
#include "nodes/machine_configuration.h"

namespace weir::experiments::kinds {

/// Sides of the rectangle of `nodes` nodes that is nearest to a square, the longer side first: 32
/// gives 8 and 4.
[[nodiscard]] std::vector<std::int64_t> nearest_to_square(std::int64_t nodes);

/// Sets one of machine.nodes and network.dimensions from the other, after ExperimentFile::apply().
/// The key that is given at the higher level (command line, file, preset) determines the machine's
/// size. Dimensions become two, nearest to a square, with x the longer. Both keys stay unchanged if
/// the same level gives both, or if none is given.
void settle_size(const setup::ExperimentFile& file, setup::SelectedRun run,
                 nodes::MachineConfiguration& machine);

}  // namespace weir::experiments::kinds
