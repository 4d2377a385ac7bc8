#pragma once

#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/records/sweep_result.h"

namespace weir::experiments::pages {

/// A sweep as a page: what it found, figures in the order of what matters, how its runs ended, and
/// a table of its points. `metrics` are those that it is about, what the kernels are about when it
/// is empty. A sweep that goes on or was interrupted has a page of the runs that have ended.
[[nodiscard]] records::Document sweep_document(records::SweepResult sweep,
                                               const std::vector<std::string>& metrics = {});

}  // namespace weir::experiments::pages
