#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/running/sweeps/database/sweep_lock.h"
#include "experiments/running/sweeps/points/point_runner.h"

namespace weir::experiments::running {

/// "point 3 (hop_cycles = 2), seed 1"
[[nodiscard]] std::string run_text(const SweepPlan& plan, const PlannedPoint& point,
                                   std::uint64_t seed);

/// A sweep's database that this process alone writes while this lives, and the running of some of
/// its runs: each is recorded as it ends, and the user told.
class RecordedRuns {
  public:
    /// Throws setup::UserFault where there is none to resume, or one already, so that it may be
    /// told before anything is made.
    static void require(const std::filesystem::path& path, bool resume);

    /// With `resume` goes on with the one that is there, else makes it. Throws setup::UserFault as
    /// require(), and where another process writes it, or it is another study's. `plan` outlives
    /// this.
    RecordedRuns(const SweepPlan& plan, const std::filesystem::path& path, bool resume);

    [[nodiscard]] const SweepDatabase& database() const { return database_; }

    /// By `ranked`, or without one on this host, `workers` at a time. False when the user broke it
    /// off. Throws SweepError, with what had ended by then.
    [[nodiscard]] bool run(std::span<const RunRequest> requests, int workers,
                           PointRunner* ranked) const;

  private:
    [[nodiscard]] bool run_by(PointRunner& runner, std::span<const RunRequest> requests) const;

    const SweepPlan& plan_;
    SweepLock lock_;
    SweepDatabase database_;
};

}  // namespace weir::experiments::running
