#pragma once

#include "experiments/pages/figures/drawing.h"
#include "experiments/records/charts.h"

namespace weir::experiments::pages {

/// Parts below zero are in the data and not in the picture.
[[nodiscard]] Drawing stacked_drawing(const records::StackedBars& chart);

}  // namespace weir::experiments::pages
