#pragma once

#include <vector>

#include "experiments/pages/sweep_values.h"
#include "experiments/records/document.h"
#include "experiments/records/figure_choice.h"

namespace weir::experiments::pages {

/// What the figures that show changes say (`against` in the sweep's file), a finding each: of every
/// curve the changes with Welch's 95 % intervals, or the first, last, least and greatest where
/// there are many, and which are not told from 0.
[[nodiscard]] std::vector<records::Finding> change_findings(
    const SweepValues& values, const std::vector<records::FigureChoice>& choices);

}  // namespace weir::experiments::pages
