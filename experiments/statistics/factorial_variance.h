#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "experiments/statistics/sample.h"

namespace weir::experiments::statistics {

/// The runs of a combination of factors' levels.
struct FactorialCell {
    std::vector<std::size_t> levels;  ///< of each factor, from 0
    Sample sample;                    ///< a value a seed; at least one
};

/// What was measured where factors are crossed.
struct FactorialRuns {
    std::vector<std::size_t> level_counts;  ///< of each factor
    std::vector<FactorialCell> cells;       ///< each combination once at most, in any order

    /// Of all combinations of levels.
    [[nodiscard]] std::size_t combinations() const;
    /// Whether every combination is there.
    [[nodiscard]] bool is_crossed() const;
};

/// Which levels of factors to keep, so that all their combinations were measured.
struct CrossedPart {
    std::vector<std::vector<std::size_t>> levels;  ///< of each factor, ascending
    FactorialRuns runs;  ///< with the levels that are kept, numbered from 0
};

/// A crossed part of runs of which combinations are missing: the level of which most combinations
/// are missing, by share, is left out until none is. All of it where none is missing; nothing where
/// fewer than two cells are left. The part need not be the largest.
[[nodiscard]] std::optional<CrossedPart> crossed_part(const FactorialRuns& runs);

/// From the least to the greatest that is believed, with kConfidence.
struct Interval {
    double least = 0.0;
    double most = 0.0;
};

/// How much of the variance something makes.
struct VarianceShare {
    std::vector<std::size_t> factors;  ///< one: its main effect; two: their interaction
    double share = 0.0;                ///< 0 to 1
    std::optional<Interval> interval;  ///< nothing where no combination has two seeds
};

/// The variance of a run whose combination is drawn evenly from all, in parts that add up to 1, but
/// for those that would be below 0 and are taken for 0.
struct VarianceShares {
    double mean = 0.0;  ///< of the combinations' means
    /// The standard deviation of such a run.
    double deviation = 0.0;
    std::vector<VarianceShare> main_effects;  ///< of each factor
    std::vector<VarianceShare> interactions;  ///< of each two: (0, 1), (0, 2), (1, 2), ...
    VarianceShare higher_orders;              ///< interactions of three factors and more together
    /// Runs of one combination with other seeds; nothing where no combination has two.
    std::optional<VarianceShare> seeds;
};

/// The decomposition of variance (ANOVA) of crossed factors with fixed levels, of unweighted means
/// of combinations: Searle, Linear Models for Unbalanced Data, 1987, Section 4.6.
///
/// Chance makes means differ even where a factor does nothing. What the seeds' variance is expected
/// to add to a share is taken away, as in Olejnik and Algina's epsilon squared (Psychological
/// Methods 8, 2003), so that a factor without effect has a share of 0 on the average. With one seed
/// nothing is known of chance, and nothing is taken away.
///
/// Intervals are of a parametric bootstrap, a thousand times: runs are drawn of normal
/// distributions, each combination's with its own mean and variance, and their shares are found in
/// the same way. As far as these lie from the shares of what was drawn from, the share lies from
/// the true one (basic bootstrap: Davison and Hinkley, Bootstrap Methods and their Application,
/// 1997, Section 5.2), on the scale of the arcsine of the root. Where an F test does not tell an
/// effect from chance, its interval begins at 0. The draws are the same each time. Runs of
/// different combinations are taken for independent; where equal seeds make them alike, intervals
/// are rather too wide.
///
/// Nothing where the runs are not crossed, are of one combination, or are all equal.
[[nodiscard]] std::optional<VarianceShares> variance_shares(const FactorialRuns& runs);

}  // namespace weir::experiments::statistics
