#pragma once

#include <chrono>
#include <ctime>

namespace weir::experiments::kinds {

/// What a run takes of the host, from when this is made.
class HostSeconds {
  public:
    [[nodiscard]] double wall() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_begin_)
            .count();
    }
    /// Of this process's processors.
    [[nodiscard]] double processor() const {
        return static_cast<double>(std::clock() - processor_begin_) / CLOCKS_PER_SEC;
    }

  private:
    std::chrono::steady_clock::time_point wall_begin_ = std::chrono::steady_clock::now();
    std::clock_t processor_begin_ = std::clock();
};

}  // namespace weir::experiments::kinds
