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

/// All that is published of a metric at a point.
[[nodiscard]] std::vector<double> published_values(const PointResult& point,
                                                   const std::string& metric);

/// The measured mean with its interval; "saturated" for a metric that is missing because the runs
/// saturated.
[[nodiscard]] TableCell measured_cell(const PointResult& point, const std::string& metric);

/// The models that say something of the metric at some point, in the file's order; without a metric
/// all that were asked.
[[nodiscard]] std::vector<std::string> models_of(const ExperimentResult& result,
                                                 const std::string& metric = {});

/// A sentence that names the published values of a metric and each of their sources once; empty
/// without such values.
[[nodiscard]] std::string sources_of(const ExperimentResult& result, const std::string& metric);

/// How many seeds the means are of: a sentence, or nothing where there is one.
[[nodiscard]] std::string seeds_text(const ExperimentResult& result);

/// ", P = 2": for the title of what is of one point among others.
[[nodiscard]] std::string in_point(const ExperimentResult& result, const PointResult& point);

}  // namespace weir::experiments::records
