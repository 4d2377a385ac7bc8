#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nodes/sparcle/testing/random_instructions.h"

namespace weir::nodes::sparcle::testing {

/// Draws sequences of words for the addresses from pc on, with behaviour that random instructions
/// would seldom reach. Only their execution shows whether they end, and do nothing that is not
/// allowed.
class RandomPieces {
  public:
    using Words = std::vector<std::uint32_t>;

    RandomPieces(RandomInstructions& instructions, const IntegerUnit& unit)
        : instructions_(instructions), unit_(unit) {}

    /// A loop over up to `most_words` words before pc, by a branch, a jump or a call. The loop
    /// repeats until a register has been counted down, or while a condition holds.
    Words loop(std::uint32_t most_words);
    /// A function that calls itself up to 15 times, with a stack frame for each call.
    Words recursion();
    /// Self-modifying code: stores over a following word, flushes it and executes it. A variant
    /// executes the word before the store, too, in a loop.
    Words modification();
    /// Jumps or calls to an address outside memory.
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
    /// A condition after a SUBcc of the countdown that holds while there is more to count down.
    unsigned continues();
    void append_frame_mode(Words& words);
    std::uint32_t local_arithmetic();
    std::uint32_t store_over(unsigned value, unsigned address, std::uint32_t target);

    RandomInstructions& instructions_;
    const IntegerUnit& unit_;
};

}  // namespace weir::nodes::sparcle::testing
