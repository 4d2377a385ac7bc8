#pragma once

#include <cstddef>
#include <cstdint>

#include "hw/queues/fifo.h"
#include "hw/units.h"

namespace weir::network {

/// The cycles in which the flits of a channel pass one of its ends, as far as they are known: flit
/// after flit, one a cycle at most. Kept as runs of one flit a cycle, of which few are needed:
/// those that somebody may still ask for. A worm that nothing holds up is one run.
class CycleRuns {
  public:
    /// The flits whose cycles are known.
    [[nodiscard]] std::int64_t count() const { return count_; }
    /// That of the last one; long ago when there is none.
    [[nodiscard]] hw::Cycles last() const { return hw::Cycles(count_ - 1 + newest_.offset); }

    struct Flits {
        hw::Cycles cycle;   ///< of the flit that was asked for
        std::int64_t left;  ///< it and those behind it that follow one a cycle
    };
    /// Of flit `number`, counted from 0, which is known. One that is forgotten, or is before the
    /// first, passed long ago.
    [[nodiscard]] Flits flits_from(std::int64_t number) const {
        if (follow_from(number)) {
            return {hw::Cycles(number + newest_.offset), count_ - number};
        }
        return older_flits_from(number);
    }
    /// Whether all flits from number `number` on follow one a cycle.
    [[nodiscard]] bool follow_from(std::int64_t number) const { return number >= newest_.begin; }
    /// That of flit `number` if it is one of the last run, or were.
    [[nodiscard]] hw::Cycles cycle_in_last_run(std::int64_t number) const {
        return hw::Cycles(number + newest_.offset);
    }
    /// `count` more, the first in cycle `first`, which lies behind the last one. May forget what is
    /// needed neither of flits before number `needed` nor of cycles from `now` on.
    [[gnu::always_inline]] void add(std::int64_t count, hw::Cycles first, std::int64_t needed,
                                    hw::Cycles now) {
        const std::int64_t offset = first.count() - count_;
        if (offset != newest_.offset) {
            if (count_ <= needed && last() < now) {
                older_.clear();
            } else {
                keep_newest(needed, now);
            }
            newest_ = {count_, offset};
        }
        count_ += count;
    }
    /// The same, where nobody asks for a flit by its number whose cycle is past.
    [[gnu::always_inline]] void add(std::int64_t count, hw::Cycles first, hw::Cycles now) {
        add(count, first, count_, now);
    }
    /// The flits of the cycles up to `cycle`, which is not before the present one.
    [[nodiscard]] std::int64_t count_through(hw::Cycles cycle) const;

  private:
    // Flit `number` from `begin` on, up to the next run, passes in cycle number + offset.
    struct Run {
        std::int64_t begin;
        std::int64_t offset;
    };
    static constexpr std::int64_t kLongAgo = -(std::int64_t{1} << 60);

    [[nodiscard]] Flits older_flits_from(std::int64_t number) const;
    [[gnu::noinline]] void keep_newest(std::int64_t needed, hw::Cycles now);

    std::int64_t count_ = 0;
    Run newest_{kLongAgo, kLongAgo};
    hw::Fifo<Run> older_;
};

}  // namespace weir::network
