#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/sweep/run_sweep.h"
#include "experiments/sweep/slurm_array.h"
#include "experiments/sweep/sweep_database.h"
#include "experiments/sweep/sweep_difference.h"

namespace weir::experiments::commands {

/// What `weir sweep FILE` says at its end: how many runs ended how, and which did not end well.
[[nodiscard]] std::string summary_page(const sweep::SweepSummary& summary);

/// What `--dry-run` says: the points with their seeds.
[[nodiscard]] std::string plan_page(const sweep::SweepPlan& plan,
                                    std::span<const sweep::RunRequest> requests);

/// What `weir sweep submit --slurm` says: the jobs, and where their results come; with `--dry-run`
/// scripts and commands.
[[nodiscard]] std::string slurm_page(const sweep::SlurmArray& array, const sweep::SlurmJobs& jobs);
[[nodiscard]] std::string slurm_scripts_page(const sweep::SlurmArray& array);

/// What `weir sweep show` says, 80 columns wide: a row a point, with what the axes set and means
/// with 95 % confidence intervals over its seeds. Throws config::UserFault for a metric that no run
/// has.
[[nodiscard]] std::string database_page(const sweep::SweepDatabase& database,
                                        std::vector<std::string> metrics);
/// A row a run, numbers exact. Without `metrics` all of them, "source.metric".
[[nodiscard]] std::string database_csv(const sweep::SweepDatabase& database,
                                       std::vector<std::string> metrics);

/// What `weir sweep diff` says: a row a point that has changed.
[[nodiscard]] std::string difference_page(const sweep::SweepDifference& difference,
                                          const sweep::SweepDatabase& before,
                                          const sweep::SweepDatabase& after);

}  // namespace weir::experiments::commands
