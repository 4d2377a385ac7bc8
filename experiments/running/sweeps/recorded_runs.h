#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/running/sweeps/database/sweep_lock.h"
#include "experiments/running/sweeps/points/point_runner.h"
#include "hw/units.h"

namespace weir::experiments::running {

/// Name of a run for messages, for example "point 3 (hop_cycles = 2), seed 1".
[[nodiscard]] std::string run_text(const SweepPlan& plan, const PlannedPoint& point,
                                   std::uint64_t seed);

/// Database of a sweep, locked for this process, which runs some of its runs. Each run is recorded
/// when it ends; progress is shown to the user.
class RecordedRuns {
  public:
    /// Throws setup::UserFault if there is no database to resume, or if one exists that should not
    /// be resumed. Can be called before anything is created.
    static void require(const std::filesystem::path& path, bool resume);

    /// With `resume` opens the existing database, otherwise creates it. Throws setup::UserFault as
    /// require() does. Also throws it if another process writes the database, or if it is another
    /// study's. `plan` must outlive this object.
    RecordedRuns(const SweepPlan& plan, const std::filesystem::path& path, bool resume);

    [[nodiscard]] const SweepDatabase& database() const { return database_; }

    /// Runs the requests by `ranked`, or if that is null on this host, `workers` at a time. Returns
    /// false if the user interrupted it. Throws SweepError with the number of ended runs.
    /// `resume_at`: see LocalRunner; only for runs on this host.
    [[nodiscard]] bool run(std::span<const RunRequest> requests, int workers, PointRunner* ranked,
                           std::optional<hw::Cycles> resume_at = {}) const;

  private:
    [[nodiscard]] bool run_by(PointRunner& runner, std::span<const RunRequest> requests) const;

    const SweepPlan& plan_;
    SweepLock lock_;
    SweepDatabase database_;
};

}  // namespace weir::experiments::running
