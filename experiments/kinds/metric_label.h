#pragma once

#include <string>

namespace weir::experiments::kinds {

/// "cycles per iteration", "packet latency, cycles", "lopc above what was measured, %"
[[nodiscard]] std::string metric_label(const std::string& metric);

}  // namespace weir::experiments::kinds
