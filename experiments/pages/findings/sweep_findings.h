#pragma once

#include <vector>

#include "experiments/pages/findings/crossed_study.h"
#include "experiments/pages/sweep_values.h"
#include "experiments/records/document.h"

namespace weir::experiments::pages {

/// What a sweep found, in sentences made of its numbers. Of crossed axes, by label: which of them
/// matter and which do not (shares of the variance), which point is best and which worst, and what
/// does not fit: runs that did not end well, what the seeds do, and models. Of axes varied one at a
/// time: which matters most to each label.
[[nodiscard]] std::vector<records::Finding> sweep_findings(
    const SweepValues& values, const std::vector<CrossedStudy>& studies);

/// The shares of the variance as a table, the greatest first; nothing where there are none.
[[nodiscard]] std::optional<records::Table> shares_table(const CrossedStudy& study);

}  // namespace weir::experiments::pages
