#pragma once

#include <optional>
#include <vector>

namespace weir::experiments::statistics {

/// Largest relative rounding error of sums and differences of doubles. A single cycle is a larger
/// share of any run's cycles.
inline constexpr double kRounding = 1e-12;

/// Independent values of one quantity, such as a metric of runs with different seeds.
struct Sample {
    std::vector<double> values;

    /// Mean; 0 for no values.
    [[nodiscard]] double mean() const;
    /// Unbiased variance; 0 for fewer than two values, and for values that are equal within
    /// rounding.
    [[nodiscard]] double variance() const;
    /// Half width of the mean's 95 % interval (Student's t); empty for fewer than two values.
    [[nodiscard]] std::optional<double> half_width() const;
};

/// Half width at 95 % of the difference of two means with possibly unequal variances (Welch). The
/// result is nullopt if a sample has a single value.
std::optional<double> welch_half_width(const Sample& a, const Sample& b);

/// Half width at 95 % of the mean of samples' means with possibly unequal variances (Welch and
/// Satterthwaite). The result is nullopt without samples, or if a sample has a single value.
std::optional<double> half_width_of_mean(const std::vector<Sample>& samples);

}  // namespace weir::experiments::statistics
