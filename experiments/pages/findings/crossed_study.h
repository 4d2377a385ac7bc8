#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiments/pages/sweep_values.h"
#include "experiments/records/figure_choice.h"
#include "experiments/statistics/factorial_variance.h"

namespace weir::experiments::pages {

/// An axis of a sweep as pages speak of it.
struct StudyFactor {
    struct Level {
        std::string text;              ///< "64"; "up_down / 2.5" where one key does not tell it
        std::optional<double> number;  ///< of all levels or of none
    };
    std::string name;           ///< "input queue bytes"
    std::vector<Level> levels;  ///< by number where they have them, else in the file's order
    bool is_logarithmic = false;

    /// "input queue bytes = 64"
    [[nodiscard]] std::string at(std::size_t level) const;
};

/// One metric of the points of one label, crossed over the axes that vary.
struct CrossedStudy {
    std::string label;  ///< empty where points have none, or labels are the axis
    std::string metric;
    std::vector<std::size_t> points;   ///< all of the label, by SweepValues's index
    std::vector<StudyFactor> factors;  ///< with two levels at least
    std::vector<std::vector<std::size_t>> levels_of_points;  ///< of `points`, by factor
    std::size_t measured = 0;                                ///< points that have the metric
    std::size_t combinations = 0;                            ///< of all levels
    std::size_t most_seeds = 0;                              ///< of a point
    /// "nodes = 64": the levels that are not in `part`.
    std::vector<std::string> left_out;
    /// What shares and means are of; nothing where no part is crossed.
    std::optional<statistics::CrossedPart> part;
    /// Of the values, or of their logarithms where the greatest mean is over four times the least:
    /// then a parameter matters by how many per cent it changes. Nothing where there is no such
    /// part, or all of it is equal.
    std::optional<statistics::VarianceShares> shares;
    bool are_shares_of_logarithms = false;

    /// The place among the factor's levels of a level of the part.
    [[nodiscard]] std::size_t level(std::size_t factor, std::size_t of_part) const;
    /// The mean over all combinations of the part that have these levels of the part, with its 95 %
    /// interval: a factor and its level each.
    [[nodiscard]] records::Estimate mean_at(
        const std::vector<std::pair<std::size_t, std::size_t>>& fixed) const;
    /// All shares of main effects and of interactions of two, the greatest first.
    [[nodiscard]] std::vector<statistics::VarianceShare> effects() const;
    /// "input queue bytes × interrupt cost"
    [[nodiscard]] std::string name_of(const statistics::VarianceShare& effect) const;
    /// "input queue bytes = 64, interrupt cost = 20": of points[index].
    [[nodiscard]] std::string place_of(std::size_t index) const;
};

/// How an effect stands to what the seeds do.
enum class EffectKind {
    kMatters,  ///< 1 % or more, and told from chance
    kSmall,    ///< told from chance, or of a single seed, but below 1 %
    kNone,     ///< not told from chance, and below 1 %
    kUntold,   ///< not told from chance, but it may be more
};
[[nodiscard]] EffectKind kind_of(const statistics::VarianceShare& effect);

/// Of crossed axes, one for each label and metric: those asked for; where none is, those that the
/// study's figures name, and what the kernels are about.
[[nodiscard]] std::vector<CrossedStudy> crossed_studies(
    const SweepValues& values, const std::vector<records::FigureChoice>& figures,
    const std::vector<std::string>& asked);

}  // namespace weir::experiments::pages
