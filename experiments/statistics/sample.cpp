#include "experiments/statistics/sample.h"

#include <cmath>

#include "experiments/statistics/student_t.h"

namespace weir::experiments::statistics {

// Each share is added, not the sum divided: means of results stored before have these very bits.
double Sample::mean() const {
    const auto count = static_cast<double>(values.size());
    double mean = 0.0;
    for (const double value : values) {
        mean += value / count;
    }
    return mean;
}

double Sample::variance() const {
    if (values.size() < 2) {
        return 0.0;
    }
    const double centre = mean();
    double squares = 0.0;
    for (const double value : values) {
        squares += (value - centre) * (value - centre);
    }
    return squares / static_cast<double>(values.size() - 1);
}

std::optional<double> Sample::half_width() const {
    if (values.size() < 2) {
        return std::nullopt;
    }
    const auto count = static_cast<double>(values.size());
    return student_t(count - 1.0) * std::sqrt(variance() / count);
}

// Welch, "The generalization of Student's problem when several different population variances are
// involved", Biometrika 34, 1947; degrees of freedom by Satterthwaite.
std::optional<double> welch_half_width(const Sample& a, const Sample& b) {
    if (a.values.size() < 2 || b.values.size() < 2) {
        return std::nullopt;
    }
    const auto count_a = static_cast<double>(a.values.size());
    const auto count_b = static_cast<double>(b.values.size());
    const double error_a = a.variance() / count_a;
    const double error_b = b.variance() / count_b;
    const double error = error_a + error_b;
    if (error == 0.0) {
        return 0.0;
    }
    const double freedom =
        error * error / (error_a * error_a / (count_a - 1.0) + error_b * error_b / (count_b - 1.0));
    return student_t(freedom) * std::sqrt(error);
}

}  // namespace weir::experiments::statistics
