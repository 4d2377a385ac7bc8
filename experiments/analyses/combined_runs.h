#pragma once

#include <string>
#include <vector>

#include "experiments/records/result.h"

namespace weir::experiments::analyses {

/// Of values that are one a seed.
[[nodiscard]] records::Estimate estimate(const std::string& name,
                                         const std::vector<double>& values);

/// Of what the second has above the first, pair by pair. Both have as many values.
[[nodiscard]] records::Estimate estimate_of_change(const std::string& name,
                                                   const std::vector<double>& first,
                                                   const std::vector<double>& second);

/// Puts the runs of one point together; the runs must be of finished simulations. Particulars are
/// those of the first.
records::PointResult combine(const std::vector<records::SimulationResult>& runs);

}  // namespace weir::experiments::analyses
