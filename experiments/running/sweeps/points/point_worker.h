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

/// Request for a run, for a process that makes the sweep's plan itself.
struct WorkOrder {
    std::string plan_digest;  ///< digest of its plan
    std::size_t point = 0;    ///< number of the point
    std::uint64_t seed = 0;

    [[nodiscard]] std::string to_text() const;
    [[nodiscard]] static WorkOrder from(const std::string& text);
};

/// Answer to a WorkOrder.
struct WorkAnswer {
    enum class How { kDone, kBrokenOff, kNowhereToRun };
    std::size_t point = 0;
    std::uint64_t seed = 0;
    How how = How::kDone;
    std::string message;  ///< reason for kNowhereToRun
    RunOutcome outcome;   ///< result for kDone

    [[nodiscard]] std::string to_text() const;
    [[nodiscard]] static WorkAnswer from(const std::string& text);
};

/// Process that does a sweep's runs one after another, each in a child process. The worker serves a
/// process that must not start others, because MPI has begun in it. The worker ends with this
/// object, and with the process that owns it.
class PointWorker {
  public:
    /// Starts the process. The process makes the plan of these options when its first order comes.
    /// Throws std::system_error if the process cannot be started.
    explicit PointWorker(const SweepOptions& options);
    PointWorker(const PointWorker&) = delete;
    PointWorker& operator=(const PointWorker&) = delete;
    ~PointWorker();

    [[nodiscard]] bool is_busy() const { return is_busy_; }
    void start(const std::string& order);
    /// Text of the answer. Waits for its end; to be called for a worker that answered() returned.
    [[nodiscard]] std::string answer();
    /// Workers that have answered. Waits until at least one worker has answered, at most
    /// `milliseconds`.
    [[nodiscard]] static std::vector<PointWorker*> answered(std::span<PointWorker* const> workers,
                                                            int milliseconds);

  private:
    /// Local to this host: other hosts do not need a run's unfinished files.
    setup::TemporaryFolder scratch_folder_;
    pid_t process_ = -1;
    int orders_ = -1;
    int answers_ = -1;
    bool is_busy_ = false;
};

}  // namespace weir::experiments::running
