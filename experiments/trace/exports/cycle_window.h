#pragma once

#include "hw/units.h"

namespace weir::experiments::trace {

/// Cycles from `begin` up to, not including, `end`. If `end` is kNever, the window has no end.
struct CycleWindow {
    hw::Cycles begin{0};
    hw::Cycles end = hw::kNever;

    [[nodiscard]] constexpr bool contains(hw::Cycles cycle) const {
        return cycle >= begin && (cycle < end || end >= hw::kNever);
    }
    /// True if any cycle of [from, to) is inside the window.
    [[nodiscard]] constexpr bool overlaps(hw::Cycles from, hw::Cycles to) const {
        return from < end && to > begin;
    }
};

}  // namespace weir::experiments::trace
