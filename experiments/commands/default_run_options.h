#pragma once

#include <CLI/CLI.hpp>

#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::commands {

/// Machine presets from where Weir is installed, a run on each core; under mpirun one at a time.
[[nodiscard]] running::RunOptions default_run_options();

/// For the option that names an experiment: one that is not there is taken from those that come
/// with the program (running::experiment_named).
[[nodiscard]] CLI::Validator from_own_experiments();

}  // namespace weir::experiments::commands
