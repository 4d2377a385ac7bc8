#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "experiments/records/simulation_result.h"
#include "experiments/running/sweeps/plan/sweep_plan.h"
#include "experiments/running/sweeps/points/run_outcome.h"

namespace weir::experiments::running {

/// A run to be done: one point with one seed.
struct RunRequest {
    const PlannedPoint* point = nullptr;
    std::uint64_t seed = 0;
};

/// Does it in this process, which must not have done another. `folder` is made, and gone
/// afterwards. Nothing when `report` ended it. Throws SweepError when it failed because the disk of
/// the folder is full.
[[nodiscard]] std::optional<RunOutcome> run_point(
    const SweepPlan& plan, const RunRequest& request, const std::filesystem::path& folder,
    const std::function<bool(const records::Progress&)>& report);

/// Throws SweepError when the folder's disk has no room for the little that tells a full one.
void require_room(const std::filesystem::path& folder);

}  // namespace weir::experiments::running
