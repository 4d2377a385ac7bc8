#pragma once

#include <string>

#include "experiments/records/result.h"

namespace weir::experiments::pages {

/// Of a share of one.
inline constexpr double kPercent = 100.0;

/// "438.3 ± 1.0", as a cell of a table has it.
[[nodiscard]] std::string estimate_text(const records::Estimate& value);

}  // namespace weir::experiments::pages
