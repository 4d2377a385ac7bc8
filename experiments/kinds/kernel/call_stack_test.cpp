// Tests of call chains that are found from executed instructions.
#include "experiments/kinds/kernel/call_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "nodes/sparcle/architecture.h"

namespace weir::experiments::kinds {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::uint32_t kNop = 0x01000000;
constexpr std::uint32_t kCall = 0x40000000;          // call; its target is in CallStep
constexpr std::uint32_t kRet = 0x81c7e008;           // jmpl %i7 + 8, %g0
constexpr std::uint32_t kRetl = 0x81c3e008;          // jmpl %o7 + 8, %g0
constexpr std::uint32_t kCallRegister = 0x9fc04000;  // jmpl %g1, %o7
constexpr std::uint32_t kJump = 0x81c04000;          // jmpl %g1, %g0
constexpr std::uint32_t kRett = 0x81cca000;          // rett %l2
constexpr std::uint8_t kMessage = 0x10 + SPARCLE_LEVEL_MESSAGE;
constexpr std::uint8_t kOverflow = 0x05;

// Functions of 0x100 bytes: f at 0x100, g at 0x200, h at 0x300. Vectors are at 0x1000.
class CallStackTest : public ::testing::Test {
  public:
    CallTree tree;
    CallStack stack{tree, [this](std::uint32_t address) -> std::optional<CallTree::Place> {
                        if (address >= 0x1000) {
                            return tree.place("vector");
                        }
                        return tree.place(std::string(1, static_cast<char>('e' + address / 0x100)));
                    }};
    unsigned window = 7;

    std::string at(std::uint32_t pc, std::uint32_t word = kNop, std::uint32_t target = 0) {
        // The instruction after a call or return is its delay slot.
        const CallStep step{.pc = pc,
                            .word = word,
                            .next_pc = pc + 4,
                            .next_npc = target != 0 ? target : pc + 8,
                            .next_window = window};
        return tree.text(stack.executed(step));
    }
    std::string call(std::uint32_t pc, std::uint32_t target, std::uint32_t word = kCall) {
        at(pc, word, target);
        return at(pc + 4);
    }
    std::string trap(std::uint32_t pc, std::uint8_t type) {
        window -= 1;
        return tree.text(stack.executed({.pc = pc,
                                         .next_pc = 0x1000,
                                         .next_npc = 0x1004,
                                         .next_window = window,
                                         .is_trap = true,
                                         .trap_type = type}));
    }
    // jmp %l1; rett %l2
    void return_from_trap(std::uint32_t pc, std::uint32_t target) {
        at(pc, kJump, target);
        window += 1;
        stack.executed({.pc = pc + 4,
                        .word = kRett,
                        .next_pc = target,
                        .next_npc = target + 4,
                        .next_window = window});
    }
};

TEST_F(CallStackTest, BeginsWhereTheProgramDoes) { EXPECT_EQ(at(0x100), "f"); }

TEST_F(CallStackTest, ACallTakesEffectBehindItsDelaySlot) {
    EXPECT_EQ(at(0x110, kCall, 0x200), "f");
    EXPECT_EQ(at(0x114), "f");
    EXPECT_EQ(at(0x200), "f;g");
    EXPECT_EQ(call(0x204, 0x300, kCallRegister), "f;g");
    EXPECT_EQ(at(0x300), "f;g;h");
}

TEST_F(CallStackTest, ReturnsToTheCaller) {
    call(0x110, 0x200);
    at(0x200);
    call(0x210, 0x300);
    EXPECT_EQ(call(0x300, 0x218, kRetl), "f;g;h");
    EXPECT_EQ(call(0x218, 0x118, kRet), "f;g");
    EXPECT_EQ(at(0x118), "f");
}

TEST_F(CallStackTest, AFunctionMayCallItself) {
    call(0x110, 0x100);
    EXPECT_EQ(at(0x100), "f;f");
    call(0x104, 0x100);
    EXPECT_EQ(at(0x100), "f;f;f");
    call(0x108, 0x118, kRet);
    EXPECT_EQ(at(0x118), "f;f");
}

TEST_F(CallStackTest, AJumpIntoAnotherFunctionIsACallFromTheCaller) {
    call(0x110, 0x200);
    at(0x200);
    call(0x204, 0x300, kJump);
    EXPECT_EQ(at(0x300), "f;h");
    call(0x304, 0x118, kRetl);
    EXPECT_EQ(at(0x118), "f");
}

TEST_F(CallStackTest, ATrapIsCalledFromWhereItComes) {
    at(0x100);
    const std::string interrupted = trap(0x104, kMessage);
    EXPECT_THAT(interrupted, AllOf(StartsWith("f;"), HasSubstr("interrupt")));
    EXPECT_EQ(call(0x1000, 0x300), interrupted + ";vector");
    EXPECT_EQ(at(0x300), interrupted + ";vector;h");
    EXPECT_THAT(trap(0x304, kOverflow),
                AllOf(StartsWith(interrupted + ";vector;h;"), HasSubstr("overflow")));
    at(0x1010);
    return_from_trap(0x1014, 0x304);
    EXPECT_EQ(call(0x308, 0x1008, kRetl), interrupted + ";vector;h");
    at(0x1008);
    return_from_trap(0x100c, 0x104);
    EXPECT_EQ(at(0x104), "f");
}

TEST_F(CallStackTest, ATrapInADelaySlotDoesNotHideTheCall) {
    at(0x110, kCall, 0x200);
    trap(0x114, kMessage);
    at(0x1000);
    return_from_trap(0x1004, 0x114);
    EXPECT_EQ(at(0x114), "f");
    EXPECT_EQ(at(0x200), "f;g");
}

// The overflow interrupt returns a handler to an earlier instruction of it, where the handler
// repeats its decision.
TEST_F(CallStackTest, ATrapMayReturnToAnotherPlaceOfTheContext) {
    call(0x110, 0x200);
    at(0x200);
    trap(0x220, 0x10 + SPARCLE_LEVEL_OVERFLOW);
    at(0x1000);
    return_from_trap(0x1004, 0x210);
    EXPECT_EQ(at(0x210), "f;g");
}

TEST_F(CallStackTest, ATrapMayReturnBehindItsInstruction) {
    call(0x110, 0x200);
    at(0x200);
    trap(0x204, 0x80);
    at(0x1000);
    return_from_trap(0x1004, 0x208);
    EXPECT_EQ(at(0x208), "f;g");
}

// A remote wait switches to another context, which later waits too.
TEST_F(CallStackTest, AnotherContextHasItsOwnCalls) {
    call(0x110, 0x200);
    at(0x200);
    EXPECT_THAT(trap(0x204, SPARCLE_TRAP_REMOTE_WAIT),
                AllOf(StartsWith("f;g;"), HasSubstr("wait")));
    at(0x1000);
    window = 3;
    return_from_trap(0x1004, 0x300);
    EXPECT_EQ(at(0x300), "h");
    EXPECT_THAT(trap(0x304, SPARCLE_TRAP_REMOTE_WAIT), AllOf(StartsWith("h;"), HasSubstr("wait")));
    at(0x1000);
    window = 6;
    return_from_trap(0x1004, 0x204);
    EXPECT_EQ(at(0x204), "f;g");
}

}  // namespace
}  // namespace weir::experiments::kinds
