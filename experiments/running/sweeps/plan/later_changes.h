#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/running/sweeps/plan/sweep_plan.h"
#include "hw/parameter.h"
#include "hw/units.h"

namespace weir::experiments::running {

/// Value of a parameter that a run takes on at a cycle (--resume-at).
struct LaterChange {
    std::string table;
    std::string key;
    hw::ParameterValue value;
};

/// Points of a sweep whose runs are equal through a cycle, so that one run to this cycle serves all
/// of them.
struct PointsWithPrefix {
    std::vector<const PlannedPoint*> points;
    /// Differences of each point from the first one.
    std::vector<std::vector<LaterChange>> changes;
};

/// Groups the points by the parts that their machines are built of. Within a group the points
/// differ only in parameters that act after `cycle` (hw::ParameterBase::first_difference). Throws
/// setup::UserFault for the first point with another difference, and for a run that cannot stop at
/// a cycle.
[[nodiscard]] std::vector<PointsWithPrefix> points_with_prefix(
    const SweepPlan& plan, std::span<const PlannedPoint* const> points, hw::Cycles cycle);

/// Throws setup::UserFault as points_with_prefix() does for all points of the plan.
void require_prefix(const SweepPlan& plan, hw::Cycles cycle);

/// Sets the parameters of a run's setup.
void set_later_values(std::span<const LaterChange> changes, kinds::Setup& setup);

}  // namespace weir::experiments::running
