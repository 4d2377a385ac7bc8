#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::records {

/// A model's prediction of a metric at a point.
[[nodiscard]] std::optional<double> predicted_value(const PointResult& point,
                                                    const std::string& model,
                                                    const std::string& metric);

/// All published values of a metric at a point.
[[nodiscard]] std::vector<double> published_values(const PointResult& point,
                                                   const std::string& metric);

/// Measured mean with its interval; "saturated" if the metric is missing because runs saturated.
[[nodiscard]] TableCell measured_cell(const PointResult& point, const std::string& metric);

/// Models that predict the metric at some point, in the file's order. If `metric` is empty, all
/// requested models.
[[nodiscard]] std::vector<std::string> models_of(const ExperimentResult& result,
                                                 const std::string& metric = {});

/// Sentence that names the sources of the metric's published values, each once. The sentence is
/// empty if no value of the metric was published.
[[nodiscard]] std::string sources_of(const ExperimentResult& result, const std::string& metric);

/// Sentence with the number of seeds of the means; empty for a single seed.
[[nodiscard]] std::string seeds_text(const ExperimentResult& result);

/// Suffix of a title that names the point, for example ", P = 2". The suffix is empty if there is
/// only one point.
[[nodiscard]] std::string in_point(const ExperimentResult& result, const PointResult& point);

}  // namespace weir::experiments::records
