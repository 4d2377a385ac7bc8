#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::experiments::run {

/// Named numbers in the order they are shown.
using Metrics = std::vector<std::pair<std::string, double>>;

inline std::optional<double> find_metric(const Metrics& metrics, std::string_view name) {
    for (const auto& [metric, value] : metrics) {
        if (metric == name) {
            return value;
        }
    }
    return std::nullopt;
}

}  // namespace weir::experiments::run
