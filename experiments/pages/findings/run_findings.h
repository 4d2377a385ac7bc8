#pragma once

#include <vector>

#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::pages {

/// What a run found of the metric that it is about: as it was measured, against what models say and
/// what is published; then where the time goes. Nothing of a run that is about no single number.
[[nodiscard]] std::vector<records::Finding> run_findings(const records::ExperimentResult& result);

}  // namespace weir::experiments::pages
