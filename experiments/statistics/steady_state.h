#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace weir::experiments::statistics {

/// A mean of observations that depend on those before them, such as round trips that follow one
/// another, with an interval that knows it.
struct BatchMeans {
    double mean = 0.0;
    double half_width = 0.0;  ///< 95 %
    std::size_t batches = 0;
    std::size_t batch_observations = 0;
    /// Correlation of neighbouring quarters of batches.
    double quarters_lag_1 = 0.0;
    /// Whether that is more than chance would have it: the interval is too narrow then.
    bool is_correlated = false;
};

/// Batches are tested in quarters, which need an observation each at least.
inline constexpr std::size_t kBatchQuarters = 4;

/// Batch means of a series in its steady state: it is cut into `batches` (two or more) of equal
/// length, whose means are nearly independent where batches are long, and Student's t is asked
/// about those. Whether they are long enough, von Neumann's ratio tells of their quarters, which
/// depend on each other more than they do. What is left over by the division is left out in front.
/// Nothing where a quarter would have no observation.
/// Law and Carson, "A sequential procedure for determining the length of a steady-state
/// simulation", Operations Research 27, 1979: correlation is estimated of shorter batches than
/// those the interval is of. Fishman, "Grouping observations in digital simulation", Management
/// Science 24, 1978: von Neumann's ratio as the test.
std::optional<BatchMeans> batch_means(std::span<const double> series, std::size_t batches);

/// Correlation of neighbours; 0 of a constant.
double lag_1_correlation(std::span<const double> values);

/// Whether neighbours are alike more than those of independent values are in 95 of 100 cases:
/// von Neumann's ratio of the mean square successive difference to the variance is 2 for them, with
/// variance 4 (n - 2) / (n^2 - 1).
bool is_positively_correlated(std::span<const double> values);

/// MSER-5: how many observations in front are to be left out, so that the mean of the others is
/// nearest to that of the steady state. The series is averaged in groups of five; of all cuts
/// between groups, that which gives the least standard error of the mean of what is behind it (the
/// sum of squares over the square of how many there are) is best: to cut away a start that is
/// unlike the rest lowers it, to cut away what is like the rest raises it. Nothing where the best
/// cut lies in the second half: the series is too short to say that it became steady.
/// White, "An effective truncation heuristic for bias reduction in simulation output", Simulation
/// 69, 1997; groups of five: White, Cobb and Spratt, "A comparison of five steady-state truncation
/// heuristics for simulation", Winter Simulation Conference 2000.
std::optional<std::size_t> warm_up_observations(std::span<const double> series);

/// What a series says of its steady state.
struct SteadyState {
    std::size_t warm_up = 0;         ///< observations left out in front
    bool is_warm_up_found = true;    ///< or the series never became steady, and none are left out
    std::optional<BatchMeans> mean;  ///< of the rest; nothing where there are too few

    /// Why the interval can't be believed; empty when it can.
    [[nodiscard]] std::string doubt() const;
};

/// Leaves out the warm-up that MSER-5 finds, when asked to, and forms the batch means of the rest.
SteadyState steady_state(std::span<const double> series, std::size_t batches, bool detect_warm_up);

}  // namespace weir::experiments::statistics
