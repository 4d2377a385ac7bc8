#pragma once

#include "experiments/pages/figures/drawing.h"
#include "experiments/records/charts.h"

namespace weir::experiments::pages {

/// Up to four panels in a row; all have the same axis of values, which starts at 0 or says that it
/// does not. Points are joined by a line in a band, which is their interval.
[[nodiscard]] Drawing panel_drawing(const records::PanelChart& chart);

}  // namespace weir::experiments::pages
