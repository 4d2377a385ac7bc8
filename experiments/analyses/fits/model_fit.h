#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/models/model_error.h"
#include "experiments/records/model_fit.h"
#include "experiments/trace/measurements/program_times.h"

namespace weir::experiments::analyses {

/// Models that can be fitted, in the order of models.compare.
[[nodiscard]] const std::vector<std::string>& fitted_model_names();

/// Fits a model, one of fitted_model_names(), to the times of programs on one machine. Throws
/// models::ModelError if the messages do not tell a parameter that the model needs; the message
/// names a command whose run would tell it.
[[nodiscard]] records::ModelFit fit_model(std::string_view model,
                                          std::span<const trace::ProgramTimes> runs);

}  // namespace weir::experiments::analyses
