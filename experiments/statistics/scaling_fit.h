#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace weir::experiments::statistics {

/// Measured value of one run, with the values of candidate terms there.
struct ScalingRun {
    std::vector<double> terms;
    double value = 0.0;
};

/// Mean value at one size, with the means of candidate terms there.
struct ScalingPoint {
    double size = 0.0;          ///< size of the machine, such as its number of nodes
    std::vector<double> terms;  ///< values of all terms, the same terms at each point
    double value = 0.0;         ///< above 0; not used of the point to be predicted
    /// Variance of the value as a share of its square. Not used if the points have runs.
    double relative_variance = 0.0;
    std::vector<ScalingRun> runs;  ///< runs whose means these are; empty: a single value
};

/// Point of at least one run.
[[nodiscard]] ScalingPoint mean_point(double size, std::vector<ScalingRun> runs);

/// Sum of terms that was fitted to the points: value = sum of coefficient times term.
struct FittedSum {
    std::vector<std::size_t> terms;
    std::vector<double> coefficients;  ///< one for each term, none below 0
    double value = 0.0;                ///< at the point to be predicted
    double weight = 0.0;               ///< share of the prediction; the weights sum to 1
    /// Error of the last point predicted from those before it, as a share of its value.
    double last_error = 0.0;
};

/// Predicted value with its 95 % interval.
struct ScalingPrediction {
    double value = 0.0;  ///< median of the weighted sums' distributions
    double low = 0.0;
    double high = 0.0;
    std::vector<FittedSum> sums;  ///< by falling weight
};

/// Fewest points from which predict_scaling() predicts.
inline constexpr std::size_t kLeastScalingPoints = 4;

/// Predicts the value at `target` from points in the order of their size, and averages over sums of
/// terms.
///
/// Each sum in `sums`, a list of terms' indices, is fitted by least squares of relative errors.
/// Sums with a coefficient below 0 are left out. The normal performance model is that of Extra-P
/// (Calotoiu, Hoefler, Poke and Wolf, SC 2013).
///
/// The weight of a sum is the probability density that it gave to points that it had not seen. Each
/// point is predicted from all others, and each from the fourth on from those before it. Sums with
/// the same number of terms share a prior weight. It is divided by the growth of the sum's fastest
/// term from the last point to the target. Otherwise fast terms that noise can hide would decide
/// the interval.
///
/// Terms of lower order, which a sum leaves out, fade as a machine grows. The standard deviation of
/// a sum's relative error is therefore proportional to the inverse of the size, or of its square
/// root. Each sum is tried with both. From the last point on it is constant. It has an inverse
/// chi-squared prior: two degrees of freedom around 1 %, besides the points' own variance. If
/// points have several runs, this is the variance between them that the sum's terms do not explain,
/// and the target is a single run. A prediction's distribution is therefore Student's t (Gelman et
/// al., Bayesian Data Analysis, 3rd edition, Section 14.2). The interval is that of the weighted
/// distributions, so it contains the spread between the sums.
///
/// The result is nullopt if no sum is left. There must be at least kLeastScalingPoints points.
[[nodiscard]] std::optional<ScalingPrediction> predict_scaling(
    std::span<const ScalingPoint> points, const ScalingPoint& target,
    std::span<const std::vector<std::size_t>> sums);

}  // namespace weir::experiments::statistics
