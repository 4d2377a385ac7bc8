#pragma once

#include <optional>
#include <span>

namespace weir::experiments::statistics {

/// Measured value at one place of a line.
struct LinePoint {
    double x = 0.0;
    double y = 0.0;
    double variance = 0.0;  ///< variance of y, above 0
};

/// Straight line y = at_zero + slope x with 95 % intervals.
struct LineFit {
    double at_zero = 0.0;
    double at_zero_half_width = 0.0;
    double slope = 0.0;
    double slope_half_width = 0.0;
};

/// Line through points, by least squares with the inverse variances as weights. The intervals are
/// the wider ones of two estimates: by the points' variances, and by their distances from the line
/// with Student's t. The second one includes errors that the variances leave out. For many points
/// the rule is that of Birge, "The calculation of errors by the method of least squares", Physical
/// Review 40, 1932. The result is nullopt if all points have the same x.
[[nodiscard]] std::optional<LineFit> line_fit(std::span<const LinePoint> points);

}  // namespace weir::experiments::statistics
