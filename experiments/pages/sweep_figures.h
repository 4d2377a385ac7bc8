#pragma once

#include <string>
#include <vector>

#include "experiments/pages/sweep_values.h"
#include "experiments/records/document.h"

namespace weir::experiments::pages {

/// Main metrics over crossed axes. The horizontal axis is the number with the most values, with
/// a curve for each combination of the other axes. Over eight curves are split into several
/// figures. Without such a number, the figures are bars.
[[nodiscard]] std::vector<records::Figure> crossed_figures(const SweepValues& values);

/// Effects of axes varied one at a time on the main metric or on `metric`: for each label, the
/// axes from the strongest on. `points` selects the points; empty selects all.
[[nodiscard]] std::vector<records::Figure> one_at_a_time_figures(
    const SweepValues& values, const std::string& metric = {},
    const std::vector<std::size_t>& points = {});

/// Change of each label's main metric from its base by each axis, in per cent: one row per axis.
/// Returns no table for crossed axes or a single label.
[[nodiscard]] std::optional<records::Table> swing_table(const SweepValues& values);

}  // namespace weir::experiments::pages
