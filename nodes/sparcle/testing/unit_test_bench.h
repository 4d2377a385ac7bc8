#pragma once

#include <gtest/gtest.h>

#include "nodes/sparcle/testing/assembler.h"
#include "nodes/sparcle/testing/functional_machine.h"

namespace weir::nodes::sparcle::testing {

/// A unit in supervisor mode at kCode, with 4 KiB of memory at kMemory.
class UnitTest : public ::testing::Test {
  protected:
    static constexpr std::uint32_t kCode = 0x1000;
    static constexpr std::uint32_t kMemory = 0x2000;
    static constexpr std::uint32_t kPsr = kPsrSupervisor | kPsrTraps | kPsrFloat;

    explicit UnitTest(IntegerUnit::Options options = {}) : unit_(options) {
        unit_.set_pc(kCode, kCode + 4);
        unit_.set_psr(kPsr);
    }

    void expect_done(std::uint32_t word) {
        StepEnd end = unit_.execute(word);
        if (end == StepEnd::kMemory) {
            ASSERT_TRUE(answer(unit_, memory_));
            end = StepEnd::kDone;
        }
        EXPECT_EQ(end, StepEnd::kDone);
    }
    /// Expects that the word traps, and changes neither pc nor its destination register.
    void expect_trap(std::uint32_t word, std::uint8_t type) {
        const unsigned rd = Instruction{word}.rd();
        const std::uint32_t pc = unit_.pc();
        const std::uint32_t npc = unit_.npc();
        const std::uint32_t before = unit_.reg(rd);
        EXPECT_EQ(unit_.execute(word), StepEnd::kTrap);
        EXPECT_EQ(unit_.trap_type(), type);
        EXPECT_EQ(unit_.pc(), pc);
        EXPECT_EQ(unit_.npc(), npc);
        EXPECT_EQ(unit_.reg(rd), before);
    }
    [[nodiscard]] std::uint32_t icc() const { return icc_of(unit_.psr()); }

    IntegerUnit unit_;
    BigEndianMemory memory_{kMemory, 0x1000};
};

}  // namespace weir::nodes::sparcle::testing
