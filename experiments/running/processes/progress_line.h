#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "experiments/running/processes/pool_progress.h"
#include "experiments/running/processes/time_left.h"

namespace weir::experiments::running {

/// Shows the progress of runs on standard error. On a terminal, the progress is a line that is
/// updated five times a second, and removed at the end. Elsewhere a line is printed after ten
/// seconds, and then every minute.
class ProgressLine {
  public:
    /// Returns the name of a piece of work, for example "sync-remap, seed 3".
    using Name = std::function<std::string(std::size_t index)>;

    ProgressLine(bool is_terminal, Name name) : is_terminal_(is_terminal), name_(std::move(name)) {}
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    /// Removes the line.
    ~ProgressLine();

    void failed() { ++failed_; }
    void show(const PoolProgress& progress);

    /// Text of the line, for example "12 of 48 runs done, 1 not ok, 25 %, 30.2 M cycles, 1:20 left;
    /// now remap".
    [[nodiscard]] static std::string text(const PoolProgress& progress, std::size_t failed,
                                          std::optional<double> seconds_left, const Name& name);
    /// The first `columns` characters; if more follow, the last one is "…".
    [[nodiscard]] static std::string cut(const std::string& text, std::size_t columns);

  private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] bool is_due(Clock::time_point now) const;

    bool is_terminal_;
    Name name_;
    TimeLeft time_left_;
    std::size_t failed_ = 0;
    std::size_t lines_ = 0;
    Clock::time_point last_ = Clock::now();
};

}  // namespace weir::experiments::running
