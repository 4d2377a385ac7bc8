#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/run/result.h"

namespace weir::experiments::report {

/// What a model says of a metric at a point.
[[nodiscard]] std::optional<double> predicted_value(const run::PointResult& point,
                                                    const std::string& model,
                                                    const std::string& metric);

/// All that is published of a metric at a point.
[[nodiscard]] std::vector<double> published_values(const run::PointResult& point,
                                                   const std::string& metric);

/// The models that say something of the metric at some point, in the file's order; without a metric
/// all that were asked.
[[nodiscard]] std::vector<std::string> models_of(const run::ExperimentResult& result,
                                                 const std::string& metric = {});

}  // namespace weir::experiments::report
