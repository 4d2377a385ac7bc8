#pragma once

#include <cstddef>
#include <optional>
#include <span>

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

}  // namespace weir::experiments::statistics
