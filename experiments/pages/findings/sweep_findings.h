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

/// What a sweep found, in sentences made of its numbers. Of crossed axes, by label: which of them
/// matter and which do not (shares of the variance), which point is best and which worst, and what
/// does not fit: runs that did not end well, what the seeds do, and models. Of axes varied one at a
/// time: which matters most to each label.
[[nodiscard]] std::vector<records::Finding> sweep_findings(
    const SweepValues& values, const std::vector<CrossedStudy>& studies);

/// The shares of the variance as a table, the greatest first; nothing where there are none.
[[nodiscard]] std::optional<records::Table> shares_table(const CrossedStudy& study);

/// Where axes are varied one at a time: which of them matters most to each label, how far each axis
/// moves any label, and what all axes change of each; where there is one label, what they change.
/// An axis has no effect that the seeds tell where the interval of every change holds 0 (Welch).
[[nodiscard]] std::vector<records::Finding> varied_findings(const SweepValues& values);

/// What the figures that show changes say (`against` in the sweep's file), a finding each: of every
/// curve the changes with Welch's 95 % intervals, or the first, last, least and greatest where
/// there are many, and which are not told from 0.
[[nodiscard]] std::vector<records::Finding> change_findings(
    const SweepValues& values, const std::vector<records::FigureChoice>& choices);

/// What makes a study's metric differ: the main effects, a panel each, the greatest first; then
/// each interaction of two that matters, three at most, as a panel for each value of one of them.
/// No figure of a single factor, which is its own curve.
[[nodiscard]] std::vector<records::Figure> effect_figures(const CrossedStudy& study);

/// "+44.8 ± 4.6 % at 120, 84"
[[nodiscard]] std::string change_text(const records::TornadoValue& change);

}  // namespace weir::experiments::pages
