#pragma once

#include <string>

#include "experiments/records/charts.h"

namespace weir::experiments::pages {

/// "+44.8 ± 4.6 % at 120, 84"
[[nodiscard]] std::string change_text(const records::TornadoValue& change);

}  // namespace weir::experiments::pages
