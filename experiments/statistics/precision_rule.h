#pragma once

#include <cstdint>
#include <optional>

#include "experiments/statistics/sample.h"

namespace weir::experiments::statistics {

/// Whether a half width is at most `relative_precision` of the mean.
bool is_precise(double mean, double half_width, double relative_precision);

/// How long a run is to be whose interval is `half_width` wide at `length` and should be
/// `relative_precision` of the mean: half widths go with the square root of the length. A tenth
/// more, since the next estimate of the variance may be greater; at least half as long again, so
/// that few runs do; and at most ten times as long, since an estimate from a short run may be far
/// off. `half_width` is nothing where it can't be trusted: twice as long, then.
std::int64_t next_length(std::int64_t length, double mean, std::optional<double> half_width,
                         double relative_precision);

/// Fewer replications than this are not believed: that they are alike may be chance.
inline constexpr std::int64_t kLeastReplications = 5;

/// How many independent replications are wanted, of which `sample` are some: as many as there are
/// when they are precise enough, else as many as Student's t asks for with their variance, at least
/// one more and at most twice as many.
/// Law and Kelton, Simulation Modeling and Analysis, Section 9.4.1: the sequential procedure.
std::int64_t replications_wanted(const Sample& sample, double relative_precision);

}  // namespace weir::experiments::statistics
