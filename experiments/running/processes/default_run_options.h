#pragma once

#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::running {

/// Machine presets from where Weir is installed, a run on each core; under mpirun one at a time.
[[nodiscard]] RunOptions default_run_options();

}  // namespace weir::experiments::running
