#pragma once

#include <string>
#include <vector>

#include "experiments/pages/figures/drawing.h"
#include "experiments/records/charts.h"

namespace weir::experiments::pages {

/// Charts one above the other, whose axes begin and end at the same place, below a title and lines
/// in small letters. For a picture that stands by itself.
[[nodiscard]] Drawing panels(const std::string& title, const std::vector<std::string>& small_lines,
                             const std::vector<records::LineChart>& charts);

}  // namespace weir::experiments::pages
