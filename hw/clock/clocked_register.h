#pragma once

#include "hw/units.h"

namespace weir::hw {

/// A register between two parts whose order of ticks is undefined.
///
/// In a cycle: the owner writes a value and names the cycle in which it becomes visible (the next
/// one, or later). Until then, readers see the old value. So a read gives the same result whether
/// the owner was ticked earlier or later in the cycle. Only the owner may read the newest value
/// with latest(). At most one write may be pending; a later write in the same cycle replaces it.
template <class T>
class ClockedRegister {
  public:
    constexpr ClockedRegister() = default;
    constexpr explicit ClockedRegister(T reset_value)
        : visible_(reset_value), latest_(reset_value) {}

    /// The value that readers see at `now`.
    [[nodiscard]] constexpr const T& read(Cycles now) const {
        return now >= visible_from_ ? latest_ : visible_;
    }

    /// The newest value, for the owner only.
    [[nodiscard]] constexpr const T& latest() const { return latest_; }

    /// Writes at `now`; readers see the value from the next cycle on.
    constexpr void write(T value, Cycles now) { write(value, now, now + Cycles(1)); }

    /// Writes at `now`; readers see the value from `visible_from` on, which lies after `now`.
    constexpr void write(T value, Cycles now, Cycles visible_from) {
        if (now >= visible_from_) {
            visible_ = latest_;
        }
        latest_ = value;
        visible_from_ = visible_from;
    }

  private:
    T visible_{};
    T latest_{};
    Cycles visible_from_{0};
};

}  // namespace weir::hw
