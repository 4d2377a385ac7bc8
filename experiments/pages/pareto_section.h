#pragma once

#include <optional>
#include <string>

#include "experiments/pages/sweep_values.h"
#include "experiments/records/document.h"

namespace weir::experiments::pages {

/// What a metric gets better by with cost: the points that no other one beats, which costs at most
/// as much and is at least as good, by their means over the seeds that both have; a figure and a
/// table for each label. Nothing where points have no prices.
[[nodiscard]] std::optional<records::Section> pareto_section(const SweepValues& values,
                                                             const std::string& metric,
                                                             Better better);

/// Of all metrics that the points are about, or those asked for, where the unit says what is
/// better.
[[nodiscard]] std::optional<records::Section> pareto_section(
    const SweepValues& values, const std::vector<std::string>& metrics);

}  // namespace weir::experiments::pages
