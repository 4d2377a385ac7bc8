#pragma once

#include <string>

#include "experiments/records/result.h"

namespace weir::experiments::pages {

/// Factor from a share to a percentage.
inline constexpr double kPercent = 100.0;

/// Text of a table's cell: "438.3 ± 1.0".
[[nodiscard]] std::string estimate_text(const records::Estimate& value);

}  // namespace weir::experiments::pages
