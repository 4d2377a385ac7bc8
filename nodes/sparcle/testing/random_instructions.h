#pragma once

#include <array>
#include <cstdint>

#include "hw/random_stream.h"
#include "nodes/sparcle/testing/coverage.h"
#include "nodes/sparcle/testing/memory_map.h"

namespace weir::nodes::sparcle::testing {

/// Draws random instructions that suit the unit's current state: most accesses are inside memory,
/// and jumps go to one of the following words.
class RandomInstructions {
  public:
    RandomInstructions(hw::RandomStream& random, const IntegerUnit& unit)
        : random_(random), unit_(unit) {}

    std::uint64_t below(std::uint64_t bound) { return random_.below(bound); }
    bool one_in(std::uint64_t n) { return below(n) == 0; }
    unsigned any_register() { return static_cast<unsigned>(below(32)); }
    /// Register to write; seldom a stack pointer, so that frames have a valid place.
    unsigned any_target();
    /// Value of an operand: a corner case, a small number, a float near 1, or an arbitrary value.
    std::uint32_t any_value();

    /// Any instruction.
    std::uint32_t any();
    /// An instruction that continues with the next word, unless it traps, and does not access
    /// memory.
    std::uint32_t plain();
    /// An instruction that causes the event, if the state allows it.
    std::uint32_t leading_to(Event event);

    std::uint32_t arithmetic();
    /// Comparison of two floating-point registers, or of a register with itself.
    std::uint32_t comparison();
    /// WRPSR: mostly with supervisor mode, traps and floating point on, but never the bits of
    /// `without`.
    std::uint32_t psr_write(std::uint32_t without = 0);
    std::uint32_t return_from_trap() { return jump(kRettOp3); }

  private:
    std::uint32_t leading_to_trap(unsigned type);
    std::uint32_t with_floats(std::uint32_t word);
    std::uint32_t any_operand2();
    std::int32_t forward_words() { return static_cast<std::int32_t>(below(12)) + 1; }
    std::uint32_t operation_of(unsigned op3);
    std::uint32_t shift_window();
    std::uint32_t state_register();
    std::uint32_t wim_write();
    std::uint32_t trap_base_write();
    unsigned any_access_op3();
    unsigned any_float_access_op3();
    std::uint32_t access_of(unsigned op3);
    std::uint32_t access_outside_memory(unsigned op3);
    std::uint32_t branch_by(unsigned op2, unsigned condition);
    std::uint32_t any_branch();
    std::uint32_t jump(unsigned op3);
    std::uint32_t ticc();
    std::uint32_t any_float();
    std::uint32_t float_of(unsigned opf);

    hw::RandomStream& random_;
    const IntegerUnit& unit_;
};

}  // namespace weir::nodes::sparcle::testing
