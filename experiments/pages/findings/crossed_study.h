#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiments/pages/sweep_values.h"
#include "experiments/records/figure_choice.h"
#include "experiments/statistics/factorial_variance.h"

namespace weir::experiments::pages {

/// Axis of a sweep, with the names that pages print.
struct StudyFactor {
    struct Level {
        std::string text;  ///< "64"; "up_down / 2.5" where an axis sets several keys and one of
                           ///< them does not tell the levels apart
        std::optional<double> number;  ///< numeric value; set at all levels of a factor, or at none
    };
    std::string name;           ///< name on pages: "input queue bytes"
    std::vector<Level> levels;  ///< numbers in ascending order, others in the file's order
    bool is_logarithmic = false;

    /// "input queue bytes = 64"
    [[nodiscard]] std::string at(std::size_t level) const;
};

/// One metric of the points with one label, crossed over the axes that vary.
struct CrossedStudy {
    std::string label;  ///< empty if the points have no labels, or if labels are an axis
    std::string metric;
    std::vector<std::size_t> points;   ///< indexes in SweepValues of all points with the label
    std::vector<StudyFactor> factors;  ///< axes with at least two levels
    std::vector<std::vector<std::size_t>> levels_of_points;  ///< level, by point and factor
    std::size_t measured = 0;      ///< number of points that have the metric
    std::size_t combinations = 0;  ///< product of the factors' numbers of levels
    std::size_t most_seeds = 0;    ///< greatest number of seeds at any point
    /// Levels that are not in `part`: "nodes = 64".
    std::vector<std::string> left_out;
    /// Crossed part that shares and means are computed from; nothing where no part is crossed.
    std::optional<statistics::CrossedPart> part;
    /// Shares of the variance; nothing without a crossed part, or if all its values are equal.
    /// Computed from logarithms if the greatest mean is over four times the least: effects are then
    /// relative changes.
    std::optional<statistics::VarianceShares> shares;
    bool are_shares_of_logarithms = false;

    /// Index among the factor's levels of a level of the part.
    [[nodiscard]] std::size_t level(std::size_t factor, std::size_t of_part) const;
    /// Mean, with its 95 % interval, over all combinations of the part with these levels. Each
    /// fixed level is given as a pair of factor and level of the part.
    [[nodiscard]] records::Estimate mean_at(
        const std::vector<std::pair<std::size_t, std::size_t>>& fixed) const;
    /// All shares of main effects and of interactions of two factors, the greatest first.
    [[nodiscard]] std::vector<statistics::VarianceShare> effects() const;
    /// Name of an effect: "input queue bytes × interrupt cost".
    [[nodiscard]] std::string name_of(const statistics::VarianceShare& effect) const;
    /// Levels of points[index]: "input queue bytes = 64, interrupt cost = 20".
    [[nodiscard]] std::string place_of(std::size_t index) const;
};

/// Size of an effect, relative to the variation between seeds.
enum class EffectKind {
    kMatters,  ///< at least 1 % of the variance, and significant
    kSmall,    ///< below 1 %, and significant or measured with a single seed
    kNone,     ///< below 1 %, and not significant
    kUntold,   ///< not significant, but possibly large
};
[[nodiscard]] EffectKind kind_of(const statistics::VarianceShare& effect);

/// Studies of crossed axes, one for each label and metric. Without given metrics: those that the
/// study's figures name, or else the kernels' main metrics.
[[nodiscard]] std::vector<CrossedStudy> crossed_studies(
    const SweepValues& values, const std::vector<records::FigureChoice>& figures,
    const std::vector<std::string>& asked);

}  // namespace weir::experiments::pages
