#pragma once

#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/records/sweep_result.h"

namespace weir::experiments::pages {

/// Page of a sweep: findings, figures from the strongest effect on, the ends of its runs, and a
/// table of its points. `metrics` selects the metrics; if it is empty, the kernels' main metrics
/// are shown. A sweep in progress or interrupted has a page of the runs that have ended.
[[nodiscard]] records::Document sweep_document(records::SweepResult sweep,
                                               const std::vector<std::string>& metrics = {});

}  // namespace weir::experiments::pages
