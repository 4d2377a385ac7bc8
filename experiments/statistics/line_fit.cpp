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
    // Quantile of an interval, in standard deviations by the points' variances. Points that agree
    // with their variances have intervals of the normal distribution.
    constexpr double kManyDegrees = 1e6;
    const double by_variances = student_t(kManyDegrees);
    const double by_misses = freedom > 0.0 ? student_t(freedom) * std::sqrt(misses / freedom) : 0.0;
    const double quantile = std::max(by_variances, by_misses);
    return LineFit{
        .at_zero = mean_y - slope * mean_x,
        .at_zero_half_width = quantile * std::sqrt(1.0 / weights + mean_x * mean_x / squares),
        .slope = slope,
        .slope_half_width = quantile / std::sqrt(squares)};
}

}  // namespace weir::experiments::statistics
