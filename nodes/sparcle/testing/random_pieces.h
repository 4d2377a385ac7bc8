#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nodes/sparcle/testing/random_instructions.h"

namespace weir::nodes::sparcle::testing {

/// Draws several words that belong together, for the addresses from pc on: what single instructions
/// would seldom come to. Whether they end, and do nothing that is not allowed, shows when they run.
class RandomPieces {
  public:
    using Words = std::vector<std::uint32_t>;

    RandomPieces(RandomInstructions& instructions, const IntegerUnit& unit)
        : instructions_(instructions), unit_(unit) {}

    /// Goes back over up to so many words before pc: by a branch, a jump or a call, until a
    /// register has been counted down, or as long as some condition holds.
    Words loop(std::uint32_t most_words);
    /// A function that calls itself up to 15 times, each time with a frame on the stack.
    Words recursion();
    /// Stores over a word that comes next, flushes it and executes it; or executes it, stores over
    /// it, flushes it and executes it again.
    Words modification();
    /// Jumps or calls to where there is no memory.
    Words fetch_outside_memory();

  private:
    struct Countdown {
        unsigned counter;
        unsigned step;
    };

    Words counted_branch(Countdown by, std::int32_t back);
    Words counted_jump(Countdown by, std::int32_t back);
    Words counted_way_back(Countdown by, std::int32_t back);
    Words conditional_branch(std::int32_t back);
    std::optional<Countdown> countdown();
    /// Of SUBcc with these: where it holds, there is more to count down.
    unsigned continues();
    void append_frame_mode(Words& words);
    std::uint32_t local_arithmetic();
    std::uint32_t store_over(unsigned value, unsigned address, std::uint32_t target);

    RandomInstructions& instructions_;
    const IntegerUnit& unit_;
};

}  // namespace weir::nodes::sparcle::testing
