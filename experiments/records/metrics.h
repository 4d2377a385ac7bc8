#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/records/metric.h"

namespace weir::experiments::records {

/// Names and values of metrics, in the order in which they are shown.
using Metrics = std::vector<std::pair<std::string, double>>;

inline std::optional<double> find_metric(const Metrics& metrics, std::string_view name) {
    for (const auto& [metric, value] : metrics) {
        if (metric == name) {
            return value;
        }
    }
    return std::nullopt;
}

inline std::optional<double> find_metric(const Metrics& metrics, const Metric& metric) {
    return find_metric(metrics, metric.name());
}

inline void add(Metrics& metrics, const Metric& metric, double value) {
    metrics.emplace_back(metric.name(), value);
}

}  // namespace weir::experiments::records
