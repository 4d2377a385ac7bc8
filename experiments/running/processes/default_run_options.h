#pragma once

#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::running {

/// Installed machine presets, and a worker for each core; under mpirun one worker.
[[nodiscard]] RunOptions default_run_options();

}  // namespace weir::experiments::running
