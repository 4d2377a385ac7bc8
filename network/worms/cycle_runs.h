#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/units.h"

namespace weir::network {

/// The cycles in which the flits of a channel pass one of its ends, as far as they are known: flit
/// after flit, one a cycle at most. Kept as runs of one flit a cycle, of which few are needed:
/// those that somebody may still ask for. A worm that nothing holds up is one run.
class CycleRuns {
  public:
    CycleRuns() = default;
    CycleRuns(const CycleRuns&) = delete;
    CycleRuns& operator=(const CycleRuns&) = delete;

    /// The flits whose cycles are known.
    [[nodiscard]] std::int64_t count() const { return count_; }
    /// That of the last one; long ago when there is none.
    [[nodiscard]] hw::Cycles last() const { return hw::Cycles(count_ - 1 + newest_.offset); }

    struct Flits {
        hw::Cycles cycle;   ///< of the flit that was asked for
        std::int64_t left;  ///< it and those behind it that follow one a cycle
    };
    /// Of flit `number`, counted from 0, which is known and nobody has forgotten. One before the
    /// first passed long ago.
    [[nodiscard]] Flits flits_from(std::int64_t number) const {
        if (number >= newest_.begin) {
            return {hw::Cycles(number + newest_.offset), count_ - number};
        }
        return older_flits_from(number);
    }
    /// `count` more, the first in cycle `first`, which lies behind the last one. Forgets what is
    /// needed neither of flits before number `needed` nor of cycles from `now` on.
    void add(std::int64_t count, hw::Cycles first, std::int64_t needed, hw::Cycles now) {
        const std::int64_t offset = first.count() - count_;
        if (offset != newest_.offset) {
            if (end_ - begin_ > mask_) {
                make_room(needed, now);
            }
            older_[end_++ & mask_] = newest_;
            newest_ = {count_, offset};
        }
        count_ += count;
    }
    /// The flits of the cycles up to `cycle`, which is not before the present one.
    [[nodiscard]] std::int64_t count_through(hw::Cycles cycle) const;

  private:
    // Flit `number` from `begin` on, up to the next run, passes in cycle number + offset.
    struct Run {
        std::int64_t begin;
        std::int64_t offset;
    };
    static constexpr std::uint32_t kNearRuns = 4;
    static constexpr std::int64_t kLongAgo = -(std::int64_t{1} << 60);

    [[nodiscard]] Flits older_flits_from(std::int64_t number) const {
        std::int64_t end = newest_.begin;
        const Run* run = &older_[(end_ - 1) & mask_];
        for (std::uint32_t i = end_ - 1; run->begin > number; run = &older_[--i & mask_]) {
            end = run->begin;
        }
        return {hw::Cycles(number + run->offset), end - number};
    }
    void make_room(std::int64_t needed, hw::Cycles now) {
        const std::uint32_t begin = begin_;
        while (begin_ != end_) {
            const std::int64_t end =
                begin_ + 1 == end_ ? newest_.begin : older_[(begin_ + 1) & mask_].begin;
            if (end > needed || end - 1 + older_[begin_ & mask_].offset >= now.count()) {
                break;
            }
            ++begin_;
        }
        if (begin_ == begin) {
            grow();
        }
    }
    [[gnu::cold, gnu::noinline]] void grow();

    std::int64_t count_ = 0;
    Run newest_{kLongAgo, kLongAgo};
    std::array<Run, kNearRuns> near_{};
    Run* older_ = near_.data();  // a ring
    std::uint32_t begin_ = 0;    // of the older runs that are kept, counted from the beginning,
    std::uint32_t end_ = 0;      // and behind the last one
    std::uint32_t mask_ = kNearRuns - 1;
    std::vector<Run> far_;  // when there are more
};

}  // namespace weir::network
