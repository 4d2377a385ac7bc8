#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/running/clusters/slurm_array.h"
#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/running/sweeps/database/sweep_difference.h"
#include "experiments/running/sweeps/run_sweep.h"

namespace weir::experiments::commands {

/// What `weir sweep FILE` says at its end: how many runs ended how, and which did not end well.
[[nodiscard]] std::string summary_page(const running::SweepSummary& summary);

/// What `--dry-run` says: the points with their seeds.
[[nodiscard]] std::string plan_page(const running::SweepPlan& plan,
                                    std::span<const running::RunRequest> requests);

/// What `weir sweep submit --slurm` says: the jobs, and where their results come; with `--dry-run`
/// scripts and commands.
[[nodiscard]] std::string slurm_page(const running::SlurmArray& array,
                                     const running::SlurmJobs& jobs);
[[nodiscard]] std::string slurm_scripts_page(const running::SlurmArray& array);

/// A row a run, numbers exact. Without `metrics` all of them, "source.metric".
[[nodiscard]] std::string database_csv(const running::SweepDatabase& database,
                                       std::vector<std::string> metrics);

/// What `weir sweep diff` says: a row a point that has changed.
[[nodiscard]] std::string difference_page(const running::SweepDifference& difference,
                                          const running::SweepDatabase& before,
                                          const running::SweepDatabase& after);

}  // namespace weir::experiments::commands
