#pragma once

#include <cstdint>
#include <optional>

#include "experiments/statistics/sample.h"

namespace weir::experiments::statistics {

/// Whether a half width is at most `relative_precision` of the mean.
bool is_precise(double mean, double half_width, double relative_precision);

/// Length of the next run, after a run of `length` had the half width `half_width`; wanted is at
/// most `relative_precision` of the mean. Half widths fall with the square root of the length. A
/// tenth is added, since the next estimate of the variance may be larger. The length grows at least
/// 1.5 times, to save runs, and at most 10 times, since a short run's estimate may be far off.
/// Without a half width, because it is not reliable, the length doubles.
std::int64_t next_length(std::int64_t length, double mean, std::optional<double> half_width,
                         double relative_precision);

/// Least number of replications: fewer may agree by chance.
inline constexpr std::int64_t kLeastReplications = 5;

/// Number of independent replications wanted, including those in `sample`. If the sample is
/// precise, its own size. Otherwise the number by Student's t with the sample's variance, at least
/// one more and at most twice as many. Law and Kelton, Simulation Modeling and Analysis, Section
/// 9.4.1: the sequential procedure.
std::int64_t replications_wanted(const Sample& sample, double relative_precision);

}  // namespace weir::experiments::statistics
