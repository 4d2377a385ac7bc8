#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "experiments/running/processes/run_experiment.h"
#include "experiments/setup/files/study.h"

namespace weir::experiments::running {

/// Runs the parts one after the other, each into a folder of its own in the study's. All are
/// checked before the first starts; `ended` is told of each as soon as it is there. Throws as
/// run_experiment().
records::StudyResult run_study(const setup::Study& study, const RunOptions& options,
                               const std::function<void(const records::ExperimentResult&)>& ended);

}  // namespace weir::experiments::running
