#pragma once

#include <bit>
#include <cstdint>

#include "hw/units.h"

namespace weir::network {

/// Cycles to come in which something happens: none further ahead than kMost.
class ComingCycles {
  public:
    static constexpr hw::Cycles kMost{64};

    /// A cycle after the present one.
    void add(hw::Cycles cycle, hw::Cycles now) { add(cycle, 1, now); }
    /// So many, one after the other.
    void add(hw::Cycles first, std::int64_t count, hw::Cycles now) {
        bits_ = bits_after(now) | bits_of(first, count, now);
        seen_ = now;
    }
    void remove(hw::Cycles first, std::int64_t count, hw::Cycles now) {
        bits_ = bits_after(now) & ~bits_of(first, count, now);
        seen_ = now;
    }
    /// Whether it is one of them: the last one seen or a later one.
    [[nodiscard]] bool has(hw::Cycles cycle) const {
        const std::int64_t ahead = (cycle - seen_).count();
        return ahead > 0 && ahead <= kMost.count() && ((bits_ >> (ahead - 1)) & 1) != 0;
    }
    /// How many lie after cycle `now`, the last one seen or a later one.
    [[nodiscard]] std::int64_t count_after(hw::Cycles now) const {
        return std::popcount(bits_after(now));
    }
    /// The first of them; there must be one.
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

    std::uint64_t bits_ = 0;  // the lowest: the cycle after seen_
    hw::Cycles seen_{0};
};

}  // namespace weir::network
