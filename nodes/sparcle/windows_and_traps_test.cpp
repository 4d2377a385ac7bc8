#include "nodes/sparcle/testing/unit_test_bench.h"

namespace weir::nodes::sparcle {
namespace {

using namespace testing;  // NOLINT: the words of this file's programs

class WindowTest : public UnitTest {};
class TrapTest : public UnitTest {};

TEST_F(WindowTest, SaveComputesInTheOldWindowAndWritesInTheNewOne) {
    unit_.set_reg(o(6), 0x4000);
    expect_done(operation_immediate(kSave, o(6), o(6), -96));
    EXPECT_EQ(unit_.current_window(), 7U);
    EXPECT_EQ(unit_.reg(o(6)), 0x4000U - 96);
    EXPECT_EQ(unit_.reg(i(6)), 0x4000U);
    expect_done(operation_immediate(kRestore, o(0), i(6), 1));
    EXPECT_EQ(unit_.current_window(), 0U);
    EXPECT_EQ(unit_.reg(o(0)), 0x4001U);
}

TEST_F(WindowTest, OutsAreTheInsOfTheNextLowerWindow) {
    for (unsigned window = 0; window < 8; ++window) {
        unit_.set_psr(kPsr | window);
        for (unsigned number = 8; number < 24; ++number) {
            unit_.set_reg(number, window * 32 + number);
        }
    }
    for (unsigned current = 0; current < 8; ++current) {
        unit_.set_psr(kPsr | current);
        for (unsigned window = 0; window < 8; ++window) {
            for (unsigned number = 8; number < 24; ++number) {
                EXPECT_EQ(unit_.window_reg(window, number), window * 32 + number);
            }
            for (unsigned number = 24; number < 32; ++number) {
                EXPECT_EQ(unit_.window_reg(window, number), (window + 1) % 8 * 32 + number - 16);
            }
        }
    }
    unit_.set_window_reg(3, i(0), 77);
    EXPECT_EQ(unit_.window_reg(4, o(0)), 77U);
}

TEST_F(WindowTest, EveryRegisterIsReachedFromEveryWindow) {
    for (unsigned current = 0; current < 8; ++current) {
        unit_.set_psr(kPsr | current);
        for (unsigned window = 0; window < 8; ++window) {
            for (unsigned number = 8; number < 32; ++number) {
                unit_.set_window_reg(window, number, window * 32 + number);
                EXPECT_EQ(unit_.window_reg(window, number), window * 32 + number);
            }
        }
    }
}

TEST_F(WindowTest, WindowsOfWimTrap) {
    unit_.set_wim(0xffffff00 | 0x82);
    EXPECT_EQ(unit_.wim(), 0x82U);
    expect_trap(operation_immediate(kSave, o(6), o(6), -96), kTrapWindowOverflow);
    expect_trap(operation_immediate(kRestore, o(6), o(6), 0), kTrapWindowUnderflow);
    EXPECT_EQ(unit_.current_window(), 0U);
}

TEST_F(WindowTest, ContextsAreTwoWindowsApart) {
    unit_.set_wim(0xff);
    expect_done(SPARCLE_CPOP1(SPARCLE_NEXTF, 0));
    EXPECT_EQ(unit_.current_window(), 2U);
    EXPECT_EQ(unit_.last_class(), InstructionClass::kCoprocessor);
    expect_done(SPARCLE_CPOP1(SPARCLE_PREVF, 0));
    expect_done(SPARCLE_CPOP1(SPARCLE_PREVF, 0));
    EXPECT_EQ(unit_.current_window(), 6U);
    unit_.set_psr(kPsrTraps);
    expect_trap(SPARCLE_CPOP1(SPARCLE_NEXTF, 0), kTrapPrivilegedInstruction);
}

TEST_F(TrapTest, ATrapSavesWhereItWasAndMasksTheOthers) {
    unit_.set_tbr(0x40000000);
    unit_.set_psr(kPsrTraps | 3);  // user mode
    expect_trap(operation_immediate(kTiccOp3, 8, g(0), 0x185), 0x85);
    ASSERT_TRUE(unit_.take_trap(unit_.trap_type()));
    EXPECT_EQ(unit_.pc(), 0x40000850U);
    EXPECT_EQ(unit_.npc(), 0x40000854U);
    EXPECT_EQ(unit_.tbr(), 0x40000850U);
    EXPECT_EQ(unit_.current_window(), 2U);
    EXPECT_EQ(unit_.reg(l(1)), kCode);
    EXPECT_EQ(unit_.reg(l(2)), kCode + 4);
    EXPECT_EQ(unit_.psr() & 0xe0, kPsrSupervisor);

    // Returns behind the trap instruction, in user mode.
    expect_done(operation_immediate(kJmplOp3, g(0), l(2), 0));
    expect_done(operation_immediate(kRettOp3, g(0), l(2), 4));
    EXPECT_EQ(unit_.pc(), kCode + 4);
    EXPECT_EQ(unit_.npc(), kCode + 8);
    EXPECT_EQ(unit_.current_window(), 3U);
    EXPECT_EQ(unit_.psr() & 0xe0, kPsrTraps);
}

TEST_F(TrapTest, ATrapInATrapIsErrorMode) {
    unit_.set_psr(kPsrSupervisor);
    EXPECT_FALSE(unit_.take_trap(kTrapAddressNotAligned));
    EXPECT_EQ(unit_.pc(), kCode);
    EXPECT_EQ(unit_.current_window(), 0U);
    EXPECT_EQ((unit_.tbr() >> 4) & 0xff, kTrapAddressNotAligned);
}

// V8, C.8: the handler does not return to the annulled instruction.
TEST_F(TrapTest, AnInterruptBeforeAnAnnulledInstructionReturnsBehindIt) {
    expect_done(branch(kBicc, 8, true, 0x40));
    ASSERT_TRUE(unit_.next_is_annulled());
    ASSERT_TRUE(unit_.take_trap(kTrapInterrupt + 8));
    EXPECT_FALSE(unit_.next_is_annulled());
    EXPECT_EQ(unit_.reg(l(1)), kCode + 0x100);
    EXPECT_EQ(unit_.reg(l(2)), kCode + 0x104);
}

TEST_F(TrapTest, InterruptsAboveTheLevelAreTaken) {
    unit_.set_psr(kPsr | 8 << 8);
    EXPECT_FALSE(unit_.may_interrupt(8));
    EXPECT_TRUE(unit_.may_interrupt(9));
    unit_.set_psr(kPsr | 15 << 8);
    EXPECT_FALSE(unit_.may_interrupt(14));
    EXPECT_TRUE(unit_.may_interrupt(15));
    unit_.set_psr(kPsrSupervisor);
    EXPECT_FALSE(unit_.may_interrupt(15));
}

TEST_F(TrapTest, RettWantsTrapsDisabledAndItsWindowValid) {
    expect_trap(operation_immediate(kRettOp3, 0, g(0), 0), kTrapIllegalInstruction);
    unit_.set_psr(kPsrTraps);
    expect_trap(operation_immediate(kRettOp3, 0, g(0), 0), kTrapPrivilegedInstruction);
    unit_.set_psr(kPsrSupervisor);
    expect_trap(operation_immediate(kRettOp3, 0, g(0), 2), kTrapAddressNotAligned);
    unit_.set_wim(2);
    expect_trap(operation_immediate(kRettOp3, 0, g(0), 2), kTrapWindowUnderflow);
}

TEST_F(TrapTest, StateRegisters) {
    expect_done(operation_immediate(kWrpsr, 0, g(0), 0x1fa5));
    // The immediate is sign-extended: it sets icc; the higher bits are read-only or 0.
    EXPECT_EQ(unit_.psr(), 0x11f01fa5U);
    expect_trap(operation_immediate(kWrpsr, 0, g(0), 0xa8), kTrapIllegalInstruction);
    unit_.set_tbr(0x120);
    expect_done(operation_immediate(kWrtbr, 0, g(0), -1));
    expect_done(operation(kRdtbr, g(1), 0, 0));
    EXPECT_EQ(unit_.reg(g(1)), 0xfffff120U);
    expect_done(operation(kRdy, g(0), 15, 0));  // STBAR
    expect_trap(operation(kRdy, g(1), 17, 0), kTrapIllegalInstruction);
    expect_trap(operation(kWry, 19, 0, 0), kTrapIllegalInstruction);
    unit_.set_psr(kPsrTraps);
    expect_done(operation_immediate(kWry, 0, g(0), 5));
    for (const unsigned op3 : {kRdpsr, kRdwim, kRdtbr, kWrpsr, kWrwim, kWrtbr}) {
        expect_trap(operation(op3, 0, 0, 0), kTrapPrivilegedInstruction);
    }
}

TEST_F(TrapTest, WhatDoesNotExist) {
    expect_trap(0, kTrapIllegalInstruction);  // UNIMP
    expect_trap(operation(0x09, 1, 1, 1), kTrapIllegalInstruction);
    expect_trap(access(0x08, 1, 1, 1), kTrapIllegalInstruction);
    expect_trap(branch(kCbccc, 8, false, 4), kTrapCoprocessorDisabled);
    expect_trap(SPARCLE_CPOP1(0x003, 0), kTrapCoprocessorDisabled);
    expect_trap(operation(kCpop2, 0, 0, 0), kTrapCoprocessorDisabled);
    expect_trap(access(kLdc, 0, 0, 0), kTrapCoprocessorDisabled);
    unit_.set_psr(kPsrSupervisor | kPsrTraps);
    expect_trap(float_operation(kFmovs, 0, 0, 0), kTrapFloatDisabled);
    expect_trap(access(kLdf, 0, 0, 2), kTrapFloatDisabled);
    expect_trap(branch(kFbfcc, 8, false, 4), kTrapFloatDisabled);
}

}  // namespace
}  // namespace weir::nodes::sparcle
