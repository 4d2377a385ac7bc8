#include "experiments/running/sweeps/plan/later_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "experiments/kinds/setup.h"
#include "experiments/setup/parameters/parameter_assignment.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::running {

namespace {

using setup::UserFault;

constexpr const char* kSeeds = "seeds";  // each run has one of them

// Keys that may differ between points, for messages.
std::string accepted_keys(kinds::Setup& setup) {
    std::string keys;
    for (const hw::ParameterGroup* group : setup.groups()) {
        for (const hw::ParameterBase* parameter : group->parameters()) {
            if (parameter->acts_later()) {
                keys += fmt::format("{}{}.{}", keys.empty() ? "" : ", ", group->table(),
                                    parameter->name());
            }
        }
    }
    return "points that differ only in keys that act after this cycle: " + keys;
}

std::string reason(const std::string& key, bool acts_later, hw::Cycles difference,
                   hw::Cycles cycle) {
    if (!acts_later) {
        return fmt::format("--resume-at {}: {} differs between points, and acts from cycle 0 on",
                           cycle.count(), key);
    }
    return fmt::format("--resume-at {}: {} differs between points from cycle {} on", cycle.count(),
                       key, difference.count());
}

// Compares the runs of points with that of the first one.
class Comparison {
  public:
    Comparison(const SweepPlan& plan, hw::Cycles cycle, const PlannedPoint& first)
        : plan_(plan), cycle_(cycle), first_(kinds::make_setup(plan.file_of(first), first.run)) {}

    [[nodiscard]] bool has_parts_of(const kinds::Setup& other) const {
        return first_->machine.faults.needs_parts_of(other.machine.faults);
    }
    // Differences of the point from the first one.
    [[nodiscard]] std::vector<LaterChange> changes(const PlannedPoint& point,
                                                   kinds::Setup& setup) const {
        if (setup.kernel_name != first_->kernel_name) {
            refuse(point, "workload.kernel",
                   fmt::format("--resume-at {}: the points run different kernels", cycle_.count()));
        }
        std::vector<LaterChange> changes;
        for (const hw::ParameterGroup* group : setup.groups()) {
            for (const hw::ParameterBase* parameter : group->parameters()) {
                if (auto change = change_of(point, group->table(), *parameter)) {
                    changes.push_back(std::move(*change));
                }
            }
        }
        return changes;
    }

  private:
    [[nodiscard]] std::optional<LaterChange> change_of(const PlannedPoint& point,
                                                       const std::string& table,
                                                       const hw::ParameterBase& parameter) const {
        const hw::ParameterBase* const before =
            setup::find_parameter(table, parameter.name(), first_->groups());
        if (before == nullptr) {
            refuse(point, table + "." + parameter.name(),
                   "--resume-at: not all points have this key");
        }
        const hw::ParameterValue value = parameter.value_as_variant();
        if ((table == "run" && parameter.name() == kSeeds) || value == before->value_as_variant()) {
            return std::nullopt;
        }
        const hw::Cycles difference = parameter.first_difference(before->value_as_variant(), value);
        if (difference <= cycle_) {
            const std::string key = table + "." + parameter.name();
            refuse(point, key, reason(key, parameter.acts_later(), difference, cycle_));
        }
        return LaterChange{table, parameter.name(), value};
    }
    [[noreturn]] void refuse(const PlannedPoint& point, const std::string& key,
                             const std::string& why) const {
        throw plan_.file_of(point).fault_at(key, point.run, why, accepted_keys(*first_));
    }

    const SweepPlan& plan_;
    hw::Cycles cycle_;
    std::unique_ptr<kinds::Setup> first_;
};

void require_stops(const SweepPlan& plan, const PlannedPoint& point, const kinds::Setup& setup) {
    if (!setup.kind->stops_between_cycles()) {
        throw plan.file_of(point).fault_at("workload.kernel", point.run,
                                           "--resume-at: this run has no machine that can be "
                                           "stopped between cycles",
                                           "a kernel, a program or a replay on a machine");
    }
    if (setup.run.relative_precision.value() > 0.0) {
        throw plan.file_of(point).fault_at(
            "run.relative_precision", point.run,
            "--resume-at: runs are repeated until they are precise enough",
            "run.relative_precision = 0");
    }
}

}  // namespace

std::vector<PointsWithPrefix> points_with_prefix(const SweepPlan& plan,
                                                 std::span<const PlannedPoint* const> points,
                                                 hw::Cycles cycle) {
    std::vector<PointsWithPrefix> groups;
    std::vector<Comparison> first_of_groups;
    for (const PlannedPoint* point : points) {
        const std::unique_ptr<kinds::Setup> setup =
            kinds::make_setup(plan.file_of(*point), point->run);
        require_stops(plan, *point, *setup);
        auto first =
            std::find_if(first_of_groups.begin(), first_of_groups.end(),
                         [&](const Comparison& each) { return each.has_parts_of(*setup); });
        const auto number = static_cast<std::size_t>(first - first_of_groups.begin());
        if (first == first_of_groups.end()) {
            first_of_groups.emplace_back(plan, cycle, *point);
            groups.emplace_back();
        }
        // Points of different groups, too, differ only in later keys.
        static_cast<void>(first_of_groups.front().changes(*point, *setup));
        groups[number].points.push_back(point);
        groups[number].changes.push_back(first_of_groups[number].changes(*point, *setup));
    }
    return groups;
}

void require_prefix(const SweepPlan& plan, hw::Cycles cycle) {
    std::vector<const PlannedPoint*> points;
    points.reserve(plan.points.size());
    for (const PlannedPoint& point : plan.points) {
        points.push_back(&point);
    }
    static_cast<void>(points_with_prefix(plan, points, cycle));
}

void set_later_values(std::span<const LaterChange> changes, kinds::Setup& setup) {
    for (const LaterChange& change : changes) {
        hw::ParameterBase* const parameter =
            setup::find_parameter(change.table, change.key, setup.groups());
        if (parameter == nullptr || !parameter->set(change.value)) {
            throw std::logic_error("a run has no parameter " + change.table + "." + change.key);
        }
    }
}

}  // namespace weir::experiments::running
