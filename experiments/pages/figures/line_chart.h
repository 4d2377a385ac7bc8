#pragma once

#include "experiments/pages/figures/drawing.h"
#include "experiments/records/charts.h"

namespace weir::experiments::pages {

/// One series: a colour a model, what is measured in black. Several: a colour a series, a dash a
/// model. Logarithmic axes leave out what is not above 0.
[[nodiscard]] Drawing line_drawing(const records::LineChart& chart);

}  // namespace weir::experiments::pages
