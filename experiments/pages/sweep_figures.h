#pragma once

#include <string>
#include <vector>

#include "experiments/pages/sweep_values.h"
#include "experiments/records/document.h"

namespace weir::experiments::pages {

/// Of crossed axes, what kernels are about: over the number with most values, a curve for each
/// combination of the rest, in several figures where there are more than eight; without such a
/// number as bars.
[[nodiscard]] std::vector<records::Figure> crossed_figures(const SweepValues& values);

/// Of axes varied one at a time: for each label, which axis changes most what the kernel is about,
/// or this metric; `points` are those to show, all where it is empty.
[[nodiscard]] std::vector<records::Figure> one_at_a_time_figures(
    const SweepValues& values, const std::string& metric = {},
    const std::vector<std::size_t>& points = {});

/// How far each axis takes each label's main metric from its base, in per cent of it: a row an
/// axis. Nothing of crossed axes, or of a single label.
[[nodiscard]] std::optional<records::Table> swing_table(const SweepValues& values);

}  // namespace weir::experiments::pages
