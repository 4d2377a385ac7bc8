#pragma once

namespace weir::experiments::statistics {

/// Confidence level of every interval: 95 %, with equal tails.
inline constexpr double kConfidence = 0.95;

/// Two-sided quantile of Student's t at kConfidence. degrees_of_freedom must be above 0, and may be
/// a fraction.
double student_t(double degrees_of_freedom);

/// Value that Fisher's F exceeds with probability 1 - kConfidence. `above` and `below`, the degrees
/// of freedom of numerator and denominator, must be above 0.
double fisher_f(double above, double below);

/// Quantile of the standard normal distribution, 0 < probability < 1.
double normal_quantile(double probability);

}  // namespace weir::experiments::statistics
