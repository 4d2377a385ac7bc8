#pragma once

#include <vector>

#include "experiments/pages/sweep_values.h"
#include "experiments/records/figure.h"
#include "experiments/records/figure_choice.h"

namespace weir::experiments::pages {

/// Figures that a study's file requests, drawn from the points whose runs have ended. Figures
/// without data are left out.
[[nodiscard]] std::vector<records::Figure> chosen_figures(
    const SweepValues& values, const std::vector<records::FigureChoice>& choices);

}  // namespace weir::experiments::pages
