#pragma once

#include "experiments/setup/files/experiment_file.h"
#include "nodes/machine_configuration.h"

namespace weir::experiments::kinds {

/// Of machine.nodes and network.dimensions the one that is given higher up says how large the
/// machine is, and the other follows: two dimensions, nearest to a square, x the longer. Where a
/// file gives both, or neither is given, they stay as they are. After ExperimentFile::apply().
void settle_size(const setup::ExperimentFile& file, setup::SelectedRun run,
                 nodes::MachineConfiguration& machine);

}  // namespace weir::experiments::kinds
