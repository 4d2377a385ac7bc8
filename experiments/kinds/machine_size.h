#pragma once

#include "experiments/setup/files/experiment_file.h"
#include "nodes/machine_configuration.h"

namespace weir::experiments::kinds {

/// Sets one of machine.nodes and network.dimensions from the other, after ExperimentFile::apply().
/// The key that is given at the higher level (command line, file, preset) determines the machine's
/// size. Dimensions become two, nearest to a square, with x the longer. Both keys stay unchanged if
/// the same level gives both, or if none is given.
void settle_size(const setup::ExperimentFile& file, setup::SelectedRun run,
                 nodes::MachineConfiguration& machine);

}  // namespace weir::experiments::kinds
