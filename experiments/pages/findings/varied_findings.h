#pragma once

#include <vector>

#include "experiments/pages/sweep_values.h"
#include "experiments/records/document.h"

namespace weir::experiments::pages {

/// Where axes are varied one at a time: which of them matters most to each label, how far each axis
/// moves any label, and what all axes change of each; where there is one label, what they change.
/// An axis has no effect that the seeds tell where the interval of every change holds 0 (Welch).
[[nodiscard]] std::vector<records::Finding> varied_findings(const SweepValues& values);

}  // namespace weir::experiments::pages
