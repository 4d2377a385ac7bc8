#pragma once

#include <optional>

#include "experiments/records/search_result.h"
#include "experiments/running/sweeps/run_sweep.h"
#include "experiments/statistics/successive_halving.h"

namespace weir::experiments::running {

/// Points that a search tries, with its rounds.
struct SearchPlan {
    SweepPlan sweep;
    std::vector<const PlannedPoint*> tried;  ///< subset of sweep.points, in their order
    /// Rounds of successive halving (statistics/successive_halving.h); each value is a run with a
    /// seed.
    std::vector<statistics::HalvingRound> rounds;
    std::size_t admissible = 0;  ///< number of points that meet the constraints
};

/// Reads the file and checks every point, as make_plan() does. Throws setup::UserFault, also
/// without [search], if no point meets the constraints, and if the budget is too small to compare
/// two points.
[[nodiscard]] SearchPlan make_search_plan(const SweepOptions& options);

/// Description of a planned search, before anything has run.
[[nodiscard]] records::SearchResult planned_search(const SearchPlan& plan);

/// Runs the rounds of a search, and records each run in the sweep's database when it ends. With
/// `resume` runs that a search or a sweep has recorded are not repeated. Each round compares points
/// by their means over the round's seeds. The result depends only on the runs' results, not on
/// their order or origin. A point with a run that does not end well is excluded. The shard of the
/// options is ignored. Throws as run_sweep() does, RunFailure after a signal, and setup::UserFault
/// if no run has the metric. Returns nothing in processes of mpirun other than the first.
[[nodiscard]] std::optional<records::SearchResult> run_search(const SweepOptions& options);

}  // namespace weir::experiments::running
