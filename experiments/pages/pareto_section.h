#pragma once

#include <optional>
#include <string>

#include "experiments/pages/sweep_values.h"
#include "experiments/records/document.h"

namespace weir::experiments::pages {

/// Pareto front of a metric and cost, as a figure and a table for each label. A point is on the
/// front unless another point costs at most as much and is significantly better. The test is the
/// 95 % interval of the difference over common seeds. Returns no section where points have no
/// prices.
[[nodiscard]] std::optional<records::Section> pareto_section(const SweepValues& values,
                                                             const std::string& metric,
                                                             Better better);

/// Pareto fronts of the given metrics, or of the points' main metrics, if the unit tells which
/// direction is better.
[[nodiscard]] std::optional<records::Section> pareto_section(
    const SweepValues& values, const std::vector<std::string>& metrics);

}  // namespace weir::experiments::pages
