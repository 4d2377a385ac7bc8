#pragma once

#include "experiments/records/machine_comparison.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::running {

/// Runs two experiments concurrently and pairs their runs by point and seed. Points, programs and
/// seeds must be equal; all else may differ. Throws setup::UserFault if they are not, and the
/// exceptions of run_experiments().
[[nodiscard]] records::MachineComparison compare_machines(const RunOptions& first,
                                                          const RunOptions& second);

}  // namespace weir::experiments::running
