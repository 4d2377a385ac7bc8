#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "experiments/records/simulation_result.h"
#include "experiments/running/processes/pool_progress.h"
#include "experiments/running/processes/progress_line.h"

namespace weir::experiments::running {

/// How one piece of work ended in its process. One that a signal has interrupted (kInterrupted)
/// which did not come to its parent counts as killed by it.
struct WorkOutcome {
    enum class How { kNotStarted, kExited, kKilled };
    How how = How::kNotStarted;
    int status = 0;  ///< exit status, or the signal that killed it
    std::string message;
    double seconds = 0.0;  ///< of host time, from its start to its end
};

/// Runs pieces of work, each in a process of its own, at most `workers` at a time.
///
/// `work(index, report, message)` runs in the child and returns its exit status; what it puts into
/// `message` (up to some kilobytes) reaches the parent. `report` tells the parent of progress and
/// returns false once the user has pressed Ctrl-C, or a signal has asked the process to end
/// (interruption.h). No further work is started then. What runs is asked to end, and what does not
/// within a moment is killed.
class WorkerPool {
  public:
    using Report = std::function<bool(const records::Progress&)>;
    using Work = std::function<int(std::size_t index, const Report& report, std::string& message)>;

    /// Is told in the parent, as it happens.
    class Watcher {
      public:
        Watcher() = default;
        Watcher(const Watcher&) = delete;
        Watcher& operator=(const Watcher&) = delete;
        virtual ~Watcher() = default;
        /// A piece of work has ended. With false all is ended as by Ctrl-C.
        virtual bool ended(std::size_t index, const WorkOutcome& outcome) = 0;
        /// Several times a second, and after each end.
        virtual void progress(const PoolProgress& progress) = 0;
    };

    explicit WorkerPool(int workers) : workers_(workers) {}

    /// All outcomes, by index. `line`, if there is one, shows how far it is.
    std::vector<WorkOutcome> run(std::size_t count, const Work& work,
                                 ProgressLine* line = nullptr) const;
    /// Keeps none: memory does not grow with the pieces of work. What `watcher` throws ends the
    /// work as Ctrl-C does, and comes out when all has ended.
    void run(std::size_t count, const Work& work, Watcher& watcher) const;

  private:
    int workers_;
};

}  // namespace weir::experiments::running
