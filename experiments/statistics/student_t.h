#pragma once

namespace weir::experiments::statistics {

/// How sure every interval is: 95 %, both tails outside alike.
inline constexpr double kConfidence = 0.95;

/// The quantile of Student's t that a half width of kConfidence takes, with more than 0 degrees of
/// freedom, which need not be whole.
double student_t(double degrees_of_freedom);

/// The quantile of the standard normal distribution, 0 < probability < 1.
double normal_quantile(double probability);

}  // namespace weir::experiments::statistics
