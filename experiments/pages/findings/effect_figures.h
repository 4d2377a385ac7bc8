#pragma once

#include <vector>

#include "experiments/pages/findings/crossed_study.h"
#include "experiments/records/figure.h"

namespace weir::experiments::pages {

/// What makes a study's metric differ: the main effects, a panel each, the greatest first; then
/// each interaction of two that matters, three at most, as a panel for each value of one of them.
/// No figure of a single factor, which is its own curve.
[[nodiscard]] std::vector<records::Figure> effect_figures(const CrossedStudy& study);

}  // namespace weir::experiments::pages
