#pragma once

#include <functional>
#include <vector>

#include "experiments/running/processes/run_experiment.h"
#include "experiments/setup/files/study.h"

namespace weir::experiments::running {

/// Runs the parts one after the other, each into a folder inside the study's. Checks all parts
/// before the first starts. Calls `ended` with each result. Throws as run_experiment().
records::StudyResult run_study(const setup::Study& study, const RunOptions& options,
                               const std::function<void(const records::ExperimentResult&)>& ended);

}  // namespace weir::experiments::running
