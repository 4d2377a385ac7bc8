#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "experiments/statistics/sample.h"

namespace weir::experiments::statistics {

/// Runs of one combination of factors' levels.
struct FactorialCell {
    std::vector<std::size_t> levels;  ///< level of each factor, from 0
    Sample sample;                    ///< one value for each seed; at least one value
};

/// Measurements of crossed factors.
struct FactorialRuns {
    std::vector<std::size_t> level_counts;  ///< number of levels of each factor
    std::vector<FactorialCell> cells;       ///< each combination at most once, in any order

    /// Number of all combinations of levels.
    [[nodiscard]] std::size_t combinations() const;
    /// Whether all combinations are present.
    [[nodiscard]] bool is_crossed() const;
};

/// Levels of factors whose combinations were all measured.
struct CrossedPart {
    std::vector<std::vector<std::size_t>> levels;  ///< kept levels of each factor, ascending
    /// Runs with the kept levels only, levels renumbered from 0.
    FactorialRuns runs;
};

/// A crossed part of runs with missing combinations. Levels are removed one by one until no
/// combination is missing, each time the level with the largest share of missing combinations. The
/// part need not be the largest. No crossed part is returned if fewer than two cells are left.
[[nodiscard]] std::optional<CrossedPart> crossed_part(const FactorialRuns& runs);

/// Confidence interval at the level kConfidence.
struct Interval {
    double least = 0.0;
    double most = 0.0;
};

/// Share of the variance due to one source.
struct VarianceShare {
    std::vector<std::size_t> factors;  ///< one factor: its main effect; two: their interaction
    double share = 0.0;                ///< share of the variance, 0 to 1
    /// Confidence interval of the share; absent if no combination has two seeds.
    std::optional<Interval> interval;
};

/// Variance of a run whose combination is drawn uniformly, as shares that sum to 1. Negative shares
/// are set to 0, and the sum may then exceed 1.
struct VarianceShares {
    double mean = 0.0;  ///< mean of the combinations' means
    /// Standard deviation of a run whose combination is drawn uniformly.
    double deviation = 0.0;
    std::vector<VarianceShare> main_effects;  ///< shares of the factors' main effects
    /// Shares for each pair of factors: (0, 1), (0, 2), (1, 2), ...
    std::vector<VarianceShare> interactions;
    VarianceShare higher_orders;  ///< share of all interactions of three and more factors
    /// Share of the variance between seeds; absent if no combination has two seeds.
    std::optional<VarianceShare> seeds;
};

/// Decomposition of variance (ANOVA) for crossed factors with fixed levels, of unweighted means of
/// combinations: Searle, Linear Models for Unbalanced Data, 1987, Section 4.6.
///
/// Means differ by chance even if a factor has no effect. The expected contribution of the seeds'
/// variance to a share is subtracted, as in Olejnik and Algina's epsilon squared (Psychological
/// Methods 8, 2003). A factor without effect then has a mean share of 0. With one seed the noise is
/// unknown, and nothing is subtracted.
///
/// Intervals are from a parametric bootstrap with a thousand replications. Runs are drawn from
/// normal distributions with each combination's mean and variance, and decomposed in the same way.
/// The distances of their shares from the distributions' true shares give the interval of the
/// share, on the scale of the arcsine of the root. This is the basic bootstrap: Davison and
/// Hinkley, Bootstrap Methods and their Application, 1997, Section 5.2. The interval of an effect
/// begins at 0 unless an F test finds it significant. Every call draws the same random numbers.
/// Runs of different combinations are assumed independent; if equal seeds correlate them, intervals
/// are rather too wide.
///
/// The result is nullopt if the runs are not crossed, have only one combination, or are all equal.
[[nodiscard]] std::optional<VarianceShares> variance_shares(const FactorialRuns& runs);

}  // namespace weir::experiments::statistics
