#pragma once

#include <string>
#include <vector>

#include "experiments/records/result.h"

namespace weir::experiments::analyses {

/// Estimate of a metric from values with one value for each seed.
[[nodiscard]] records::Estimate estimate(const std::string& name,
                                         const std::vector<double>& values);

/// Estimate of `second` minus `first`, pair by pair; both have the same number of values.
/// Differences within rounding count as no change. The rounding depends on the largest value, or on
/// `computed_from` if it is larger: the largest value that went into their computation.
[[nodiscard]] records::Estimate estimate_of_change(const std::string& name,
                                                   const std::vector<double>& first,
                                                   const std::vector<double>& second,
                                                   double computed_from = 0.0);

/// Names of the parts of the runs' round trips, in the order in which they first appear. Empty if a
/// run has no parts at all. A part that a run lacks counts as 0 cycles.
[[nodiscard]] std::vector<std::string> part_names(
    const std::vector<records::SimulationResult>& runs);

/// Sets the estimate `change` of each point that has a reference point: the excess of its metric
/// over the reference point's, in per cent.
void set_changes(const std::string& change, const std::string& metric,
                 std::vector<records::PointResult>& points);

/// Combines the runs of one point; all runs must have finished. The point's particulars are those
/// of the first run.
records::PointResult combine(const std::vector<records::SimulationResult>& runs);

}  // namespace weir::experiments::analyses
