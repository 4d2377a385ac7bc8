#pragma once

#include <string>
#include <vector>

#include "experiments/records/result.h"

namespace weir::experiments::analyses {

/// Of values that are one a seed.
[[nodiscard]] records::Estimate estimate(const std::string& name,
                                         const std::vector<double>& values);

/// Puts the runs of one point together; the runs must be of finished simulations. Particulars are
/// those of the first.
records::PointResult combine(const std::vector<records::SimulationResult>& runs);

}  // namespace weir::experiments::analyses
