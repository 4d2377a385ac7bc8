#pragma once

#include <optional>

#include "experiments/records/search_result.h"
#include "experiments/running/sweeps/run_sweep.h"
#include "experiments/statistics/successive_halving.h"

namespace weir::experiments::running {

/// The points that a search tries, the rounds in which it does, and how many seeds there are.
struct SearchPlan {
    SweepPlan sweep;
    std::vector<const PlannedPoint*> tried;  ///< of sweep, in its order
    /// Of successive halving (statistics/successive_halving.h): a value is a run with a seed.
    std::vector<statistics::HalvingRound> rounds;
    std::size_t admissible = 0;  ///< points that meet the constraints
};

/// Reads the file and checks every point, as make_plan() does. Throws setup::UserFault, also where
/// the file has no [search], where no point meets the constraints, and where the budget is too
/// small to compare two.
[[nodiscard]] SearchPlan make_search_plan(const SweepOptions& options);

/// What the plan says of it, before anything has run.
[[nodiscard]] records::SearchResult planned_search(const SearchPlan& plan);

/// Runs the rounds, recording each run in the sweep's database as it ends; with `resume` what is
/// recorded is not run again, be it a search's or a sweep's. Each round compares the means over its
/// seeds: the result depends on what runs give, and neither on their order nor on where they came
/// from. A point whose run does not end well is out. The shard of the options is not used.
/// Throws as run_sweep(), RunFailure when a signal ended it, and setup::UserFault where no run has
/// the metric. Nothing in processes of mpirun other than the first.
[[nodiscard]] std::optional<records::SearchResult> run_search(const SweepOptions& options);

}  // namespace weir::experiments::running
