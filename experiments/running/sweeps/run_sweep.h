#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiments/running/sweeps/plan/sweep_plan.h"
#include "experiments/running/sweeps/points/point_runner.h"
#include "hw/units.h"

namespace weir::experiments::running {

/// Part `index` of `count` of a sweep's points: point `index`, and every `count`-th point after it.
struct Shard {
    std::size_t index = 1;
    std::size_t count = 1;

    [[nodiscard]] bool has(const PlannedPoint& point) const {
        return (point.number - 1) % count == index - 1;
    }
};

/// Reads a shard such as "2/4". Throws setup::UserFault for any other text.
[[nodiscard]] Shard parse_shard(const std::string& text);

struct SweepOptions {
    std::filesystem::path file;
    std::filesystem::path presets;
    std::vector<std::string> set_options;
    std::optional<std::filesystem::path> database;  ///< default: runs/NAME.db
    Shard shard;
    int workers = 1;  ///< concurrent runs, in each process of mpirun
    bool resume = false;
    bool retry = false;  ///< with `resume`: also repeat runs that did not end well
    /// Cycle through which all points' runs are equal; they are run to it together.
    std::optional<hw::Cycles> resume_at = {};
    setup::Permissions permissions = {};  ///< access beyond the experiment's own folder
    /// SweepPlan::digest() at the time of submission; empty: not checked
    std::optional<std::string> plan_digest;
};

/// Path of the database.
[[nodiscard]] std::filesystem::path database_of(const SweepOptions& options);

/// Runs of this shard that are not in `done` (digest of point, and seed), in the file's order.
[[nodiscard]] std::vector<RunRequest> requests_of(
    const SweepPlan& plan, const Shard& shard,
    const std::set<std::pair<std::string, std::uint64_t>>& done);

/// State of a shard in a sweep's database at the end.
struct SweepSummary {
    std::string database;
    std::string digest;  ///< digest of all runs
    std::size_t points = 0;
    std::size_t runs = 0;      ///< number of runs in the file
    std::size_t recorded = 0;  ///< number of these runs in the database
    std::map<std::string, std::size_t> by_status;
    /// Run that did not end well, with its status and message, in the file's order.
    struct Trouble {
        std::string run;
        std::string status;
        std::string message;
    };
    std::vector<Trouble> troubles;
    /// Exit status of the first run that did not end well; 0 if all did.
    int exit_status = 0;
    bool is_interrupted = false;
};

/// Runs the points that are not done, and records each run when it ends. Checks all points first.
/// Throws setup::UserFault (nothing is changed) or SweepError (recorded runs remain). Several
/// processes of mpirun share the runs; the first one records them, and the others return nothing.
[[nodiscard]] std::optional<SweepSummary> run_sweep(const SweepOptions& options);

/// State of a plan's shard in a database.
[[nodiscard]] SweepSummary summary_of(const SweepPlan& plan, const Shard& shard,
                                      const std::filesystem::path& database);

/// Summary of a sweep: number of runs for each kind of end, and the runs without a result.
[[nodiscard]] std::string summary_page(const SweepSummary& summary);

/// A plan before it is run: the points with the seeds that are requested.
[[nodiscard]] std::string plan_page(const SweepPlan& plan, std::span<const RunRequest> requests);

}  // namespace weir::experiments::running
