#pragma once

#include <string>
#include <vector>

#include "experiments/report/document.h"
#include "experiments/report/sweep_values.h"

namespace weir::experiments::report {

/// Of crossed axes, what kernels are about: over the number with most values, a curve for each
/// combination of the rest, in several figures where there are more than eight; without such a
/// number as bars.
[[nodiscard]] std::vector<Figure> crossed_figures(SweepValues& values);

/// Of axes varied one at a time: for each label, which axis changes most what the kernel is about.
[[nodiscard]] std::vector<Figure> one_at_a_time_figures(SweepValues& values);

/// How far each axis takes each label's main metric from its base, in per cent of it: a row an
/// axis. Nothing of crossed axes, or of a single label.
[[nodiscard]] std::optional<Table> swing_table(SweepValues& values);

}  // namespace weir::experiments::report
