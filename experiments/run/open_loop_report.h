#pragma once

#include <string>

#include "experiments/run/result.h"

namespace weir::experiments::run {

/// Of open-loop traffic, in 80 columns: a load curve's table and chart, or several curves' tables
/// and what they have in common; models, and what was published, beside it; saturation; how busy
/// the channels of a mesh are. Of packets one at a time: unloaded_page().
[[nodiscard]] std::string open_loop_report(const ExperimentResult& result);

}  // namespace weir::experiments::run
