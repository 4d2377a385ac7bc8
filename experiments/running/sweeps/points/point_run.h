#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "experiments/records/simulation_result.h"
#include "experiments/running/sweeps/plan/later_changes.h"
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

/// Does runs of points that are equal through `cycle`: this process runs to that cycle, and a
/// process for each point goes on from there. `changes` are those of each request from the first
/// one. Otherwise as run_point(). Calls `ended` with each outcome, in the process of its point, and
/// `killed` with the signal that has ended a point's process. Returns false if `report` ended a
/// run. Throws SweepError if the run ends before the cycle.
[[nodiscard]] bool run_points_from(
    hw::Cycles cycle, const SweepPlan& plan, std::span<const RunRequest> requests,
    std::span<const std::vector<LaterChange>> changes, const std::filesystem::path& folder,
    const std::function<bool(const records::Progress&)>& report,
    const std::function<void(std::size_t index, const RunOutcome& outcome)>& ended,
    const std::function<void(std::size_t index, int signal)>& killed);

/// Throws SweepError if the folder's disk has no space for a small file.
void require_room(const std::filesystem::path& folder);

}  // namespace weir::experiments::running
