#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "experiments/records/simulation_result.h"
#include "experiments/running/processes/pool_progress.h"
#include "experiments/running/processes/progress_line.h"

namespace weir::experiments::running {

/// How a piece of work ended in its process. If a signal interrupted only that process
/// (kInterrupted), the piece counts as killed by it.
struct WorkOutcome {
    enum class How { kNotStarted, kExited, kKilled };
    How how = How::kNotStarted;
    int status = 0;  ///< exit status, or the signal that killed it
    std::string message;
    double seconds = 0.0;  ///< host time from start to end
};

/// Runs pieces of work, each in a process of its own, at most `workers` at a time.
///
/// `work(index, report, message)` runs in the child and returns its exit status. `message` (up to
/// some kilobytes) is handed to the parent. `report` hands progress to the parent. `report` returns
/// false after Ctrl-C or another request to end (interruption.h). After such a request, no further
/// work is started, running work is asked to end, and work that does not end in time is killed.
class WorkerPool {
  public:
    using Report = std::function<bool(const records::Progress&)>;
    using Work = std::function<int(std::size_t index, const Report& report, std::string& message)>;

    /// Callbacks in the parent.
    class Watcher {
      public:
        Watcher() = default;
        Watcher(const Watcher&) = delete;
        Watcher& operator=(const Watcher&) = delete;
        virtual ~Watcher() = default;
        /// A piece of work has ended. Returning false ends all work as Ctrl-C does.
        virtual bool ended(std::size_t index, const WorkOutcome& outcome) = 0;
        /// Called several times a second, and after each end.
        virtual void progress(const PoolProgress& progress) = 0;
    };

    explicit WorkerPool(int workers) : workers_(workers) {}

    /// Runs all pieces and returns their outcomes, by index. Shows the progress on `line`, if
    /// given.
    std::vector<WorkOutcome> run(std::size_t count, const Work& work,
                                 ProgressLine* line = nullptr) const;
    /// Runs all pieces without keeping outcomes, so memory does not grow with their number. An
    /// exception of `watcher` ends the work as Ctrl-C does, and is rethrown when all work has
    /// ended.
    void run(std::size_t count, const Work& work, Watcher& watcher) const;

  private:
    int workers_;
};

}  // namespace weir::experiments::running
