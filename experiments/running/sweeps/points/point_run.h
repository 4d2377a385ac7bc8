#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "experiments/records/simulation_result.h"
#include "experiments/running/sweeps/plan/sweep_plan.h"
#include "experiments/running/sweeps/points/run_outcome.h"

namespace weir::experiments::running {

/// Run to be done: a point with a seed.
struct RunRequest {
    const PlannedPoint* point = nullptr;
    std::uint64_t seed = 0;
};

/// Does a run in this process, which must not have run another simulation. Creates `folder` for the
/// run's files, and removes it afterwards. Returns nullopt if `report` ended the run. Throws
/// SweepError if the run failed because the folder's disk is full.
[[nodiscard]] std::optional<RunOutcome> run_point(
    const SweepPlan& plan, const RunRequest& request, const std::filesystem::path& folder,
    const std::function<bool(const records::Progress&)>& report);

/// Throws SweepError if the folder's disk has no space for a small file.
void require_room(const std::filesystem::path& folder);

}  // namespace weir::experiments::running
