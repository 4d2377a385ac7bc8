#pragma once

#include <cmath>
#include <cstdint>

#include "hw/units.h"

namespace weir::firmware {

/// Works of the same mean, each of whole cycles: of 59.5 cycles every other one takes 59, the rest
/// 60. So n of them take n times the mean, to half a cycle.
class ConstantWork {
  public:
    explicit ConstantWork(double mean_cycles) : mean_cycles_(mean_cycles) {}

    [[nodiscard]] hw::Cycles next() {
        const std::int64_t before = through_;
        through_ = std::llround(static_cast<double>(++count_) * mean_cycles_);
        return hw::Cycles(through_ - before);
    }

  private:
    double mean_cycles_;
    std::int64_t count_ = 0;
    std::int64_t through_ = 0;  // cycles of all works so far
};

}  // namespace weir::firmware
