#pragma once

#include "experiments/records/machine_comparison.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::running {

/// Runs two experiments, all of their runs at once, and pairs them: point by point and seed by
/// seed. Both have the same points, programs and seeds; all else may differ. Throws
/// setup::UserFault where they have not, and as run_experiments() does.
[[nodiscard]] records::MachineComparison compare_machines(const RunOptions& first,
                                                          const RunOptions& second);

}  // namespace weir::experiments::running
