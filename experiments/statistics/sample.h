#pragma once

#include <optional>
#include <vector>

namespace weir::experiments::statistics {

/// Share of a value by which sums and differences of doubles are off at most. A cycle is a larger
/// share of any run.
inline constexpr double kRounding = 1e-12;

/// Independent values of one quantity, such as a metric of runs with different seeds.
struct Sample {
    std::vector<double> values;

    /// 0 of no values.
    [[nodiscard]] double mean() const;
    /// Unbiased; 0 of fewer than two values, and of values that are equal but for rounding.
    [[nodiscard]] double variance() const;
    /// Of the mean's 95 % interval (Student's t); nothing with fewer than two values.
    [[nodiscard]] std::optional<double> half_width() const;
};

/// The 95 % half width of the difference of two means whose variances need not be equal (Welch);
/// nothing when a side has but one value.
std::optional<double> welch_half_width(const Sample& a, const Sample& b);

/// The 95 % half width of the mean of some samples' means, whose variances need not be equal (Welch
/// and Satterthwaite); nothing when one has but one value, or there is none.
std::optional<double> half_width_of_mean(const std::vector<Sample>& samples);

}  // namespace weir::experiments::statistics
