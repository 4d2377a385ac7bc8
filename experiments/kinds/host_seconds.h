#pragma once

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
    /// Processor time of this process.
    [[nodiscard]] double processor() const {
        return static_cast<double>(std::clock() - processor_begin_) / CLOCKS_PER_SEC;
    }

  private:
    std::chrono::steady_clock::time_point wall_begin_ = std::chrono::steady_clock::now();
    std::clock_t processor_begin_ = std::clock();
};

}  // namespace weir::experiments::kinds
