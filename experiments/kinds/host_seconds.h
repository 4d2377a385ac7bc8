#pragma once

#include <unistd.h>

#include <chrono>
#include <ctime>

namespace weir::experiments::kinds {

/// Time of a run on the host, from this object's construction.
class HostSeconds {
  public:
    [[nodiscard]] double wall() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_begin_)
            .count();
    }
    /// Processor time of this process; of a process that was forked meanwhile, its own only.
    [[nodiscard]] double processor() const {
        const std::clock_t begin = ::getpid() == process_ ? processor_begin_ : 0;
        return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    }

  private:
    std::chrono::steady_clock::time_point wall_begin_ = std::chrono::steady_clock::now();
    std::clock_t processor_begin_ = std::clock();
    pid_t process_ = ::getpid();
};

}  // namespace weir::experiments::kinds
