#include "experiments/statistics/line_fit.h"

#include <algorithm>
#include <cmath>

#include "experiments/statistics/student_t.h"

namespace weir::experiments::statistics {

std::optional<LineFit> line_fit(std::span<const LinePoint> points) {
    double weights = 0.0;
    double mean_x = 0.0;
    double mean_y = 0.0;
    for (const LinePoint& point : points) {
        const double weight = 1.0 / point.variance;
        weights += weight;
        mean_x += weight * point.x;
        mean_y += weight * point.y;
    }
    mean_x /= weights;
    mean_y /= weights;
    double squares = 0.0;
    double products = 0.0;
    for (const LinePoint& point : points) {
        squares += (point.x - mean_x) * (point.x - mean_x) / point.variance;
        products += (point.x - mean_x) * (point.y - mean_y) / point.variance;
    }
    if (points.empty() || squares <= 0.0) {
        return std::nullopt;
    }
    const double slope = products / squares;
    double misses = 0.0;
    for (const LinePoint& point : points) {
        const double miss = point.y - mean_y - slope * (point.x - mean_x);
        misses += miss * miss / point.variance;
    }
    const double freedom = static_cast<double>(points.size()) - 2.0;
    const double excess = freedom > 0.0 ? std::max(1.0, misses / freedom) : 1.0;
    // Points that agree with their variances have intervals of the normal distribution.
    constexpr double kManyDegrees = 1e6;
    const double quantile = student_t(excess > 1.0 ? freedom : kManyDegrees);
    return LineFit{.at_zero = mean_y - slope * mean_x,
                   .at_zero_half_width =
                       quantile * std::sqrt(excess * (1.0 / weights + mean_x * mean_x / squares)),
                   .slope = slope,
                   .slope_half_width = quantile * std::sqrt(excess / squares)};
}

}  // namespace weir::experiments::statistics
