#pragma once

#include <string>

#include "experiments/run/result.h"

namespace weir::experiments::run {

/// The result as a page of text, 80 columns wide: what was measured, beside what each model
/// predicts and what was published; where a round trip went; the sensitivity table.
std::string report(const ExperimentResult& result);

/// What the experiment is about first of all, if it is about one number; else empty.
[[nodiscard]] std::string main_metric_of(const ExperimentResult& result);

}  // namespace weir::experiments::run
