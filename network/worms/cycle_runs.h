#pragma once

#include <cstddef>
#include <cstdint>

#include "hw/queues/fifo.h"
#include "hw/units.h"

namespace weir::network {

/// Cycles in which the flits of a channel pass one of its ends, as far as they are known. At most
/// one flit passes per cycle, in order. They are stored as runs of one flit per cycle; an unblocked
/// worm is one run. Runs are forgotten when no later call can need them.
class CycleRuns {
  public:
    /// Number of flits whose cycles are known.
    [[nodiscard]] std::int64_t count() const { return count_; }
    /// Cycle of the last flit; far in the past if there is none.
    [[nodiscard]] hw::Cycles last() const { return hw::Cycles(count_ - 1 + newest_.offset); }

    struct Flits {
        hw::Cycles cycle;   ///< cycle of the requested flit
        std::int64_t left;  ///< number of flits that pass one per cycle, from this flit on
    };
    /// Cycle of flit `number`, counted from 0, which must be known. For a forgotten flit, or a
    /// number below 0, the cycle is far in the past.
    [[nodiscard]] Flits flits_from(std::int64_t number) const {
        if (follow_from(number)) {
            return {hw::Cycles(number + newest_.offset), count_ - number};
        }
        return older_flits_from(number);
    }
    /// True if all flits from `number` on follow one per cycle.
    [[nodiscard]] bool follow_from(std::int64_t number) const { return number >= newest_.begin; }
    /// Cycle that flit `number` has, or would have, in the last run.
    [[nodiscard]] hw::Cycles cycle_in_last_run(std::int64_t number) const {
        return hw::Cycles(number + newest_.offset);
    }
    /// Adds `count` flits, one per cycle from `first` on, which must be after the last flit's
    /// cycle. Forgets runs that are needed neither for flits from number `needed` on nor for cycles
    /// from `now` on.
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
    /// Adds flits, for callers that never request by number a flit whose cycle has passed.
    [[gnu::always_inline]] void add(std::int64_t count, hw::Cycles first, hw::Cycles now) {
        add(count, first, count_, now);
    }
    /// Number of flits up to and including `cycle`, which must not precede the current cycle.
    [[nodiscard]] std::int64_t count_through(hw::Cycles cycle) const;

  private:
    // A run of flits, from number `begin` up to the next run: flit n passes in cycle n + offset.
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
