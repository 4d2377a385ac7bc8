#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/running/sweeps/points/run_outcome.h"
#include "experiments/running/sweeps/run_sweep.h"
#include "experiments/setup/files/temporary_folder.h"

namespace weir::experiments::running {

/// A run to be done, for a process that makes the sweep's plan itself.
struct WorkOrder {
    std::string plan_digest;  ///< of the plan that it is of
    std::size_t point = 0;    ///< its number
    std::uint64_t seed = 0;

    [[nodiscard]] std::string to_text() const;
    [[nodiscard]] static WorkOrder from(const std::string& text);
};

/// What came of one.
struct WorkAnswer {
    enum class How { kDone, kBrokenOff, kNowhereToRun };
    std::size_t point = 0;
    std::uint64_t seed = 0;
    How how = How::kDone;
    std::string message;  ///< why there is nowhere to run
    RunOutcome outcome;   ///< when done

    [[nodiscard]] std::string to_text() const;
    [[nodiscard]] static WorkAnswer from(const std::string& text);
};

/// A process that does a sweep's runs one after another, each in a process of its own. It is for
/// one that must not start processes any more: once MPI has begun. It ends with this object, and
/// with the process that has it.
class PointWorker {
  public:
    /// Makes the plan of these options when its first order comes. Throws std::system_error.
    explicit PointWorker(const SweepOptions& options);
    PointWorker(const PointWorker&) = delete;
    PointWorker& operator=(const PointWorker&) = delete;
    ~PointWorker();

    [[nodiscard]] bool is_busy() const { return is_busy_; }
    void start(const std::string& order);
    /// The answer's text, once is_answered() says so; waits for its end.
    [[nodiscard]] std::string answer();
    /// Those of `workers` that have answered; waits until one has, but at most so long.
    [[nodiscard]] static std::vector<PointWorker*> answered(std::span<PointWorker* const> workers,
                                                            int milliseconds);

  private:
    /// On this host: others need not see what a run has not finished.
    setup::TemporaryFolder scratch_folder_;
    pid_t process_ = -1;
    int orders_ = -1;
    int answers_ = -1;
    bool is_busy_ = false;
};

}  // namespace weir::experiments::running
