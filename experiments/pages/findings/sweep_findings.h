#pragma once

#include <string>
#include <vector>

#include "experiments/pages/findings/crossed_study.h"
#include "experiments/pages/sweep_values.h"
#include "experiments/records/charts.h"
#include "experiments/records/document.h"
#include "experiments/records/figure.h"
#include "experiments/records/figure_choice.h"

namespace weir::experiments::pages {

/// Findings of a sweep, as sentences with its numbers.
/// - Crossed axes, for each label: shares of the variance, the parameters that matter and those
///   that do not, the best and the worst point. Runs that did not end well, the effect of the
///   seeds, and errors of models are named, too.
/// - Axes varied one at a time: the parameter that matters most to each label.
[[nodiscard]] std::vector<records::Finding> sweep_findings(
    const SweepValues& values, const std::vector<CrossedStudy>& studies);

/// Shares of the variance as a table, the greatest first; nothing without shares.
[[nodiscard]] std::optional<records::Table> shares_table(const CrossedStudy& study);

/// Findings of axes varied one at a time. With several labels: the axis that matters most to each,
/// how far each axis moves any label, and the changes of each label. With one label: the change
/// that each axis makes.
///
/// An axis has no significant effect if the interval of every change holds 0 (Welch).
[[nodiscard]] std::vector<records::Finding> varied_findings(const SweepValues& values);

/// Findings of the figures that show changes (`against` in the sweep's file), one per figure. Each
/// curve's changes have Welch's 95 % intervals; of many points, only the first, last, least and
/// greatest are named. Changes that are not significant are named, too.
[[nodiscard]] std::vector<records::Finding> change_findings(
    const SweepValues& values, const std::vector<records::FigureChoice>& choices);

/// Figures of a study's effects. The first has the main effects, a panel each, the greatest first.
/// Up to three interactions that matter follow, with a panel for each level of one factor. A study
/// of one factor has no such figure: its curve shows all.
[[nodiscard]] std::vector<records::Figure> effect_figures(const CrossedStudy& study);

/// Text of a change: "+44.8 ± 4.6 % at 120, 84".
[[nodiscard]] std::string change_text(const records::TornadoValue& change);

}  // namespace weir::experiments::pages
