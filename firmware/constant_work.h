#pragma once

#include <cmath>
#include <cstdint>

#include "hw/units.h"

namespace weir::firmware {

/// Work times in whole cycles whose mean is exact. For a mean of 59.5 cycles, every other time is
/// 59 and the rest are 60. The sum of n times differs from n times the mean by at most half a
/// cycle.
class ConstantWork {
  public:
    explicit ConstantWork(double mean_cycles)
        : mean_cycles_(mean_cycles), is_whole_(mean_cycles == std::floor(mean_cycles)) {}

    [[nodiscard]] hw::Cycles next() {
        if (is_whole_) {
            return hw::Cycles(static_cast<std::int64_t>(mean_cycles_));
        }
        const std::int64_t before = through_;
        through_ = std::llround(static_cast<double>(++count_) * mean_cycles_);
        return hw::Cycles(through_ - before);
    }

  private:
    double mean_cycles_;
    bool is_whole_;
    std::int64_t count_ = 0;
    std::int64_t through_ = 0;  // sum of the work times so far, in cycles
};

}  // namespace weir::firmware
