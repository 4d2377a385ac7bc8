#pragma once

#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/records/sweep_result.h"

namespace weir::experiments::pages {

/// A sweep as a page: how its runs ended, a table of its points, and figures. `metrics` are those
/// that the table shows, what the kernels are about when it is empty.
[[nodiscard]] records::Document sweep_document(const records::SweepResult& sweep,
                                               const std::vector<std::string>& metrics = {});

}  // namespace weir::experiments::pages
