#pragma once

#include "experiments/run/run_experiment.h"

namespace weir::experiments::commands {

/// Machine presets from where Weir is installed, a run on each core.
[[nodiscard]] run::RunOptions default_run_options();

}  // namespace weir::experiments::commands
