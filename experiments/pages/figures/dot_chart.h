#pragma once

#include "experiments/pages/figures/drawing.h"
#include "experiments/records/charts.h"

namespace weir::experiments::pages {

[[nodiscard]] Drawing dot_drawing(const records::DotChart& chart);

}  // namespace weir::experiments::pages
