#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/running/sweeps/plan/sweep_plan.h"
#include "experiments/running/sweeps/points/point_runner.h"

namespace weir::experiments::running {

/// Part `index` of `count` of a sweep's points: the index-th, and each count-th after it.
struct Shard {
    std::size_t index = 1;
    std::size_t count = 1;

    [[nodiscard]] bool has(const PlannedPoint& point) const {
        return (point.number - 1) % count == index - 1;
    }
};

/// "2/4". Throws setup::UserFault.
[[nodiscard]] Shard parse_shard(const std::string& text);

struct SweepOptions {
    std::filesystem::path file;
    std::filesystem::path presets;
    std::vector<std::string> set_options;
    std::optional<std::filesystem::path> database;  ///< runs/NAME.db without
    Shard shard;
    int workers = 1;  ///< runs at a time; of each process that mpirun has started
    bool resume = false;
    bool retry = false;  ///< with resume: what did not end well once more
    /// SweepPlan::digest() as it was when the sweep was submitted; any without.
    std::optional<std::string> plan_digest;
};

/// Where the results go.
[[nodiscard]] std::filesystem::path database_of(const SweepOptions& options);

/// The runs of this shard, in the file's order, that are not in `done` (point's digest and seed).
[[nodiscard]] std::vector<RunRequest> requests_of(
    const SweepPlan& plan, const Shard& shard,
    const std::set<std::pair<std::string, std::uint64_t>>& done);

/// What a sweep's database holds at its end, of this shard.
struct SweepSummary {
    std::string database;
    std::string digest;  ///< of all runs
    std::size_t points = 0;
    std::size_t runs = 0;      ///< of the file
    std::size_t recorded = 0;  ///< of these, in the database
    std::map<std::string, std::size_t> by_status;
    /// What did not end well: which run, how, and why; the first in the file's order.
    struct Trouble {
        std::string run;
        std::string status;
        std::string message;
    };
    std::vector<Trouble> troubles;
    /// Of the first that did not end well; 0 when all did.
    int exit_status = 0;
    bool is_interrupted = false;
};

/// Runs the points that are not done, and records each as it ends. Checks all of them first. Throws
/// setup::UserFault (nothing is changed) or SweepError (what was recorded stays). Where mpirun has
/// started several processes they share the points; the first one records them, and the others
/// return nothing.
[[nodiscard]] std::optional<SweepSummary> run_sweep(const SweepOptions& options);

/// Of a plan's shard, as a database has it.
[[nodiscard]] SweepSummary summary_of(const SweepPlan& plan, const Shard& shard,
                                      const std::filesystem::path& database);

}  // namespace weir::experiments::running
