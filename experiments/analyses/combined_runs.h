#pragma once

#include <string>
#include <vector>

#include "experiments/records/result.h"

namespace weir::experiments::analyses {

/// Of values that are one a seed.
[[nodiscard]] records::Estimate estimate(const std::string& name,
                                         const std::vector<double>& values);

/// Estimate of second less first, pair by pair; both have the same number of values. Rounding alone
/// is no change and makes no interval. `computed_from` is the largest value that went into their
/// computation, where it is larger than they are.
[[nodiscard]] records::Estimate estimate_of_change(const std::string& name,
                                                   const std::vector<double>& first,
                                                   const std::vector<double>& second,
                                                   double computed_from = 0.0);

/// Names of the parts that some run's round trip has, in the order in which they first appear; none
/// where a run has no parts at all. A part that a run lacks took it no cycles.
[[nodiscard]] std::vector<std::string> part_names(
    const std::vector<records::SimulationResult>& runs);

/// Sets the estimate `change` of each point that is measured against another one: by how many per
/// cent its metric is more than that one's.
void set_changes(const std::string& change, const std::string& metric,
                 std::vector<records::PointResult>& points);

/// Puts the runs of one point together; the runs must be of finished simulations. Particulars are
/// those of the first.
records::PointResult combine(const std::vector<records::SimulationResult>& runs);

}  // namespace weir::experiments::analyses
