#pragma once

namespace weir::experiments::statistics {

/// How sure every interval is: 95 %, both tails outside alike.
inline constexpr double kConfidence = 0.95;

/// The quantile of Student's t that a half width of kConfidence takes, with more than 0 degrees of
/// freedom, which need not be whole.
double student_t(double degrees_of_freedom);

/// What Fisher's F exceeds by chance with 1 - kConfidence, of so many degrees of freedom above and
/// below, which are greater than 0.
double fisher_f(double above, double below);

/// The quantile of the standard normal distribution, 0 < probability < 1.
double normal_quantile(double probability);

}  // namespace weir::experiments::statistics
