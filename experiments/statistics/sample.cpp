#include "experiments/statistics/sample.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "experiments/statistics/student_t.h"

namespace weir::experiments::statistics {

namespace {

// Half width of the sum, or the difference, of the samples' means. Welch, "The generalization of
// Student's problem when several different population variances are involved", Biometrika 34, 1947;
// degrees of freedom by Satterthwaite.
std::optional<double> half_width_of_sum(const std::vector<Sample>& samples) {
    double error = 0.0;
    std::vector<std::pair<double, double>> errors;  // variance of each mean, degrees of freedom
    for (const Sample& sample : samples) {
        if (sample.values.size() < 2) {
            return std::nullopt;
        }
        const auto count = static_cast<double>(sample.values.size());
        const double of_mean = sample.variance() / count;
        error += of_mean;
        errors.emplace_back(of_mean, count - 1.0);
    }
    if (samples.empty() || error == 0.0) {
        return samples.empty() ? std::nullopt : std::optional(0.0);
    }
    // Squares shares of variances, since squares of very small variances would be 0.
    double inverse_freedom = 0.0;
    for (const auto& [of_mean, freedom] : errors) {
        inverse_freedom += of_mean / error * (of_mean / error) / freedom;
    }
    return student_t(1.0 / inverse_freedom) * std::sqrt(error);
}

}  // namespace

// Sums values already divided by the count, so that means equal those in stored results to the bit.
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
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (*most - *least <= kRounding * std::max(std::abs(*least), std::abs(*most))) {
        return 0.0;  // the values are equal within the rounding of their mean
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

std::optional<double> welch_half_width(const Sample& a, const Sample& b) {
    return half_width_of_sum({a, b});
}

std::optional<double> half_width_of_mean(const std::vector<Sample>& samples) {
    const std::optional<double> of_sum = half_width_of_sum(samples);
    return of_sum ? std::optional(*of_sum / static_cast<double>(samples.size())) : std::nullopt;
}

}  // namespace weir::experiments::statistics
