#pragma once

#include <vector>

#include "experiments/report/figure.h"
#include "experiments/report/sweep_values.h"
#include "experiments/sweep/figure_choice.h"

namespace weir::experiments::report {

/// The figures that a study asks for, of the points that have ended. Those without anything to draw
/// are left out.
[[nodiscard]] std::vector<Figure> chosen_figures(SweepValues& values,
                                                 const std::vector<sweep::FigureChoice>& choices);

}  // namespace weir::experiments::report
