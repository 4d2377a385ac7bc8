#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "experiments/running/processes/worker_pool.h"

namespace weir::experiments::running {

/// Tells standard error how far a sweep is: on a terminal in one line that changes, elsewhere in a
/// line a minute.
class SweepProgress {
  public:
    explicit SweepProgress(bool is_terminal) : is_terminal_(is_terminal) {}
    SweepProgress(const SweepProgress&) = delete;
    SweepProgress& operator=(const SweepProgress&) = delete;
    /// Takes the line away.
    ~SweepProgress();

    void failed() { ++failed_; }
    void show(const PoolProgress& progress);

    /// "12 of 48 runs done, 1 not ok, 25 %, 1:20 left"
    [[nodiscard]] static std::string text(const PoolProgress& progress, std::size_t failed);

  private:
    using Clock = std::chrono::steady_clock;

    bool is_terminal_;
    std::size_t failed_ = 0;
    bool is_shown_ = false;
    Clock::time_point last_ = Clock::now();
};

}  // namespace weir::experiments::running
