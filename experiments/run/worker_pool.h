#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "experiments/run/simulation.h"

namespace weir::experiments::run {

/// How one piece of work ended in its process.
struct WorkOutcome {
    enum class How { kNotStarted, kExited, kKilled };
    How how = How::kNotStarted;
    int status = 0;  ///< exit status, or the signal that killed it
    std::string message;
};

/// Runs pieces of work, each in a process of its own, at most `workers` at a time.
///
/// `work(index, report, message)` runs in the child and returns its exit status; what it puts into
/// `message` (up to some kilobytes) reaches the parent. `report` tells the parent of progress and
/// returns false once the user has pressed Ctrl-C; no further work is started then, and what runs
/// is waited for. With `show_progress` a line on a terminal's standard error shows the work that
/// takes longer than two seconds.
class WorkerPool {
  public:
    using Report = std::function<bool(const Progress&)>;
    using Work = std::function<int(std::size_t index, const Report& report, std::string& message)>;

    WorkerPool(int workers, bool show_progress)
        : workers_(workers), show_progress_(show_progress) {}

    std::vector<WorkOutcome> run(std::size_t count, const Work& work);
    [[nodiscard]] static bool interrupted();

  private:
    int workers_;
    bool show_progress_;
};

}  // namespace weir::experiments::run
