#pragma once

#include "experiments/pages/figures/drawing.h"
#include "experiments/records/charts.h"

namespace weir::experiments::pages {

[[nodiscard]] Drawing tornado_drawing(records::TornadoChart chart);

}  // namespace weir::experiments::pages
