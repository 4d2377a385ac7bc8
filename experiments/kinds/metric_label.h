#pragma once

#include <string>

namespace weir::experiments::kinds {

/// Label of a metric: "cycles per iteration", "packet latency, cycles", "lopc above the
/// measurement, %".
[[nodiscard]] std::string metric_label(const std::string& metric);

}  // namespace weir::experiments::kinds
