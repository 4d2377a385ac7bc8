#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/records/explanation.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::running {

/// Splits the errors of models' predictions for the run in `run`, the folder of weir run. Idealised
/// machines are run with the same program and seeds, each once; they stay in the folder "explained"
/// there. Without names of models, all predictions that the run compares and that can be split.
/// `options` gives presets, workers, permissions, and the labels of points; without labels, all
/// points are explained. Throws setup::UserFault with what to run
/// instead, and the exceptions of run_experiments().
[[nodiscard]] records::ExplainedRun explain_run(const std::filesystem::path& run,
                                                const std::vector<std::string>& models,
                                                const RunOptions& options);

}  // namespace weir::experiments::running
