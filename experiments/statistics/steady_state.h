#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace weir::experiments::statistics {

/// Mean of correlated observations, such as successive round trips, with an interval that accounts
/// for the correlation.
struct BatchMeans {
    double mean = 0.0;
    double half_width = 0.0;  ///< half width at 95 %
    std::size_t batches = 0;
    std::size_t batch_observations = 0;
    /// Correlation of adjacent quarters of batches.
    double quarters_lag_1 = 0.0;
    /// True if the correlation is significant, which makes the confidence interval too narrow.
    bool is_correlated = false;
};

/// Number of parts of a batch that the correlation test uses. Each of these parts needs at least
/// one observation.
inline constexpr std::size_t kBatchQuarters = 4;

/// Batch means of a series in its steady state. The series is cut into `batches` (two or more) of
/// equal length; left-over observations at the front are dropped. Means of long batches are nearly
/// independent, so Student's t applies to them. Von Neumann's ratio of quarters of batches tests
/// whether batches are long enough, since quarters are more correlated than batches. The result is
/// nullopt if a quarter would have no observation. Law and Carson, "A sequential procedure for
/// determining the length of a steady-state simulation", Operations Research 27, 1979. Law and
/// Carson estimate correlation from shorter batches than those of the interval. Fishman, "Grouping
/// observations in digital simulation", Management Science 24, 1978: von Neumann's ratio as the
/// test.
std::optional<BatchMeans> batch_means(std::span<const double> series, std::size_t batches);

/// Correlation of adjacent values; 0 for a constant series.
double lag_1_correlation(std::span<const double> values);

/// Whether adjacent values are positively correlated, by a test at 5 %. For independent values von
/// Neumann's ratio of the mean square successive difference to the variance has mean 2 and variance
/// 4 (n - 2) / (n^2 - 1).
bool is_positively_correlated(std::span<const double> values);

/// MSER-5: number of observations to drop at the front, so that the mean of the rest is nearest to
/// that of the steady state. The series is averaged in groups of five. The best cut between groups
/// gives the least standard error of the mean behind it. The error is the sum of squares over the
/// square of the number of groups. Dropping a start that is unlike the rest lowers the error;
/// dropping groups like the rest raises it. The result is nullopt if the best cut is in the second
/// half: the series is then too short to show a steady state. White, "An effective truncation
/// heuristic for bias reduction in simulation output", Simulation 69, 1997. Groups of five: White,
/// Cobb and Spratt, "A comparison of five steady-state truncation heuristics for simulation",
/// Winter Simulation Conference 2000.
std::optional<std::size_t> warm_up_observations(std::span<const double> series);

/// Steady state of a series.
struct SteadyState {
    std::size_t warm_up = 0;  ///< observations dropped at the front
    /// False: the series has no steady state, and no observations are dropped.
    bool is_warm_up_found = true;
    std::optional<BatchMeans> mean;  ///< batch means of the rest; empty for too few observations

    /// Reason why the interval is not reliable; empty if it is reliable.
    [[nodiscard]] std::string doubt() const;
};

/// Drops the warm-up found by MSER-5 if asked to, and computes the batch means of the rest.
SteadyState steady_state(std::span<const double> series, std::size_t batches, bool detect_warm_up);

}  // namespace weir::experiments::statistics
