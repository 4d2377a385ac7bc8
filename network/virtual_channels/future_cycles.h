#pragma once

#include <bit>
#include <cstdint>

#include "hw/units.h"

namespace weir::network {

/// A set of future cycles in which some event occurs, each at most kMost cycles ahead.
class FutureCycles {
  public:
    static constexpr hw::Cycles kMost{64};

    /// Adds a cycle after the current one, `now`.
    void add(hw::Cycles cycle, hw::Cycles now) { add(cycle, 1, now); }
    /// Adds `count` successive cycles.
    void add(hw::Cycles first, std::int64_t count, hw::Cycles now) {
        bits_ = bits_after(now) | bits_of(first, count, now);
        seen_ = now;
    }
    void remove(hw::Cycles first, std::int64_t count, hw::Cycles now) {
        bits_ = bits_after(now) & ~bits_of(first, count, now);
        seen_ = now;
    }
    /// True if the set has `cycle`, which must not precede the last cycle seen.
    [[nodiscard]] bool has(hw::Cycles cycle) const {
        const std::int64_t ahead = (cycle - seen_).count();
        return ahead > 0 && ahead <= kMost.count() && ((bits_ >> (ahead - 1)) & 1) != 0;
    }
    /// Number of the set's cycles after `now`, which must not precede the last cycle seen.
    [[nodiscard]] std::int64_t count_after(hw::Cycles now) const {
        return std::popcount(bits_after(now));
    }
    /// First of the set's cycles after `now`. The set must not be empty.
    [[nodiscard]] hw::Cycles first_after(hw::Cycles now) const {
        return now + hw::Cycles(1 + std::countr_zero(bits_after(now)));
    }

  private:
    [[nodiscard]] static std::uint64_t bits_of(hw::Cycles first, std::int64_t count,
                                               hw::Cycles now) {
        return (~std::uint64_t{0} >> (kMost.count() - count)) << ((first - now).count() - 1);
    }
    [[nodiscard]] std::uint64_t bits_after(hw::Cycles now) const {
        const std::int64_t passed = (now - seen_).count();
        return passed < kMost.count() ? bits_ >> passed : 0;
    }

    std::uint64_t bits_ = 0;  // lowest bit: the cycle after seen_
    hw::Cycles seen_{0};
};

}  // namespace weir::network
