#include <bit>

#include "nodes/sparcle/testing/unit_test_bench.h"

namespace weir::nodes::sparcle {
namespace {

using namespace testing;  // NOLINT: the words of this file's programs

// FSR: RD at 30, TEM at 23 and cexc at 0 (NV OF UF DZ NX), ftt at 14, fcc at 10, aexc at 5.
class FloatTest : public UnitTest {
  protected:
    static constexpr std::uint32_t kOne = 0x3f800000;
    static constexpr std::uint32_t kInfinity = 0x7f800000;
    static constexpr std::uint32_t kQuiet1 = 0xffc00001;
    static constexpr std::uint32_t kQuiet2 = 0x7fc00002;
    static constexpr std::uint32_t kSignaling1 = 0x7f800003;
    static constexpr std::uint32_t kSignaling2 = 0xff800004;

    std::uint32_t result(unsigned opf, std::uint32_t a, std::uint32_t b) {
        unit_.set_f(1, a);
        unit_.set_f(2, b);
        expect_done(float_operation(opf, 3, 1, 2));
        return unit_.f(3);
    }
    double double_result(unsigned opf, double a, double b) {
        set_double(2, a);
        set_double(4, b);
        expect_done(float_operation(opf, 6, 2, 4));
        return std::bit_cast<double>(std::uint64_t{unit_.f(6)} << 32 | unit_.f(7));
    }
    void set_double(unsigned number, double value) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        unit_.set_f(number, static_cast<std::uint32_t>(bits >> 32));
        unit_.set_f(number + 1, static_cast<std::uint32_t>(bits));
    }
    [[nodiscard]] std::uint32_t current() const { return unit_.fsr() & 0x1f; }
    [[nodiscard]] std::uint32_t accrued() const { return (unit_.fsr() >> 5) & 0x1f; }
    [[nodiscard]] std::uint32_t trap_kind() const { return (unit_.fsr() >> 14) & 7; }
};

class NoFloatUnitTest : public UnitTest {
  protected:
    NoFloatUnitTest() : UnitTest({.floating_point = false}) {}
};

TEST_F(NoFloatUnitTest, CannotBeEnabled) {
    EXPECT_EQ(unit_.psr() & kPsrFloat, 0U);
    expect_done(operation_immediate(kWrpsr, 0, g(0), static_cast<std::int32_t>(kPsr & 0xfff)));
    unit_.set_reg(g(1), kPsr);
    expect_done(operation(kWrpsr, 0, g(1), g(0)));
    EXPECT_EQ(unit_.psr() & kPsrFloat, 0U);
    EXPECT_NE(unit_.psr() & kPsrTraps, 0U);
}

TEST_F(NoFloatUnitTest, ItsInstructionsTrap) {
    unit_.set_reg(g(1), kMemory);
    expect_trap(float_operation(kFaddd, 2, 4, 6), kTrapFloatDisabled);
    expect_trap(float_operation(kFmovs, 2, 0, 6), kTrapFloatDisabled);
    expect_trap(float_operation(kFcmps, 0, 1, 2), kTrapFloatDisabled);
    expect_trap(access(kLdf, 2, g(1), 0), kTrapFloatDisabled);
    expect_trap(access(kLdfsr, 0, g(1), 0), kTrapFloatDisabled);
    expect_trap(access(kStf, 2, g(1), 0), kTrapFloatDisabled);
    expect_trap(branch(kFbfcc, 1, false, 4), kTrapFloatDisabled);
}

TEST_F(FloatTest, ArithmeticInBothPrecisions) {
    EXPECT_EQ(result(kFadds, kOne, kOne), 0x40000000U);
    EXPECT_EQ(double_result(kFmuld, 1.5, -2.25), -3.375);
    EXPECT_EQ(double_result(kFdivd, 1, 4), 0.25);
    EXPECT_EQ(double_result(kFsqrtd, 0, 2.25), 1.5);
    EXPECT_EQ(current(), 0U);
    EXPECT_EQ(result(kFdivs, kOne, 0x40400000), 0x3eaaaaabU);
    EXPECT_EQ(current(), FloatUnit::kInexact);
}

TEST_F(FloatTest, RoundingDirections) {
    const std::array<std::uint32_t, 4> thirds = {0x3eaaaaab, 0x3eaaaaaa, 0x3eaaaaab, 0x3eaaaaaa};
    for (unsigned direction = 0; direction < 4; ++direction) {
        unit_.set_fsr(direction << 30);
        EXPECT_EQ(result(kFdivs, kOne, 0x40400000), thirds[direction]);
    }
    // The host's own rounding direction is restored.
    const volatile double one = 1;
    const volatile double minus_three = -3;
    EXPECT_EQ(one / minus_three, -0.333333333333333314829616256247390992939472198486328125);
}

// V8, Appendix N: signaling before quiet, rs2 before rs1.
TEST_F(FloatTest, WhichNaNIsReturned) {
    EXPECT_EQ(result(kFadds, kOne, kQuiet2), kQuiet2);
    EXPECT_EQ(result(kFadds, kQuiet1, kOne), kQuiet1);
    EXPECT_EQ(result(kFadds, kQuiet1, kQuiet2), kQuiet2);
    EXPECT_EQ(current(), 0U);
    EXPECT_EQ(result(kFadds, kSignaling1, kQuiet2), 0x7fc00003U);
    EXPECT_EQ(current(), FloatUnit::kInvalid);
    EXPECT_EQ(result(kFadds, kQuiet1, kSignaling2), 0xffc00004U);
    EXPECT_EQ(result(kFadds, kSignaling1, kSignaling2), 0xffc00004U);
    EXPECT_EQ(result(kFsubs, kInfinity, kInfinity), 0x7fffffffU);
    EXPECT_EQ(current(), FloatUnit::kInvalid);
}

TEST_F(FloatTest, NaNsKeepTheirUpperBitsInConversions) {
    unit_.set_f(2, 0xff800004);
    expect_done(float_operation(kFstod, 4, 0, 2));
    EXPECT_EQ(unit_.f(4), 0xfff80000U);
    EXPECT_EQ(unit_.f(5), 0x80000000U);
    EXPECT_EQ(current(), FloatUnit::kInvalid);
    expect_done(float_operation(kFdtos, 3, 0, 4));
    EXPECT_EQ(unit_.f(3), 0xffc00004U);
    EXPECT_EQ(current(), 0U);
}

TEST_F(FloatTest, IntegersAreTruncatedAndSaturate) {
    unit_.set_fsr(2U << 30);
    EXPECT_EQ(result(kFstoi, 0, 0xc0200000), 0xfffffffeU);  // -2.5
    EXPECT_EQ(current(), FloatUnit::kInexact);
    EXPECT_EQ(result(kFstoi, 0, 0x4f000000), 0x7fffffffU);  // 2^31
    EXPECT_EQ(current(), FloatUnit::kInvalid);
    EXPECT_EQ(result(kFstoi, 0, 0xcf000000), 0x80000000U);  // -2^31 fits
    EXPECT_EQ(current(), 0U);
    EXPECT_EQ(result(kFstoi, 0, kQuiet2), 0x7fffffffU);
    EXPECT_EQ(result(kFstoi, 0, kQuiet1), 0x80000000U);
    EXPECT_EQ(result(kFitos, 0, 0x01000001), 0x4b800001U);  // 2^24 + 1, upward
    EXPECT_EQ(current(), FloatUnit::kInexact);
}

TEST_F(FloatTest, ComparisonsAndUnordered) {
    const auto compared = [&](unsigned opf, std::uint32_t a, std::uint32_t b) {
        result(opf, a, b);
        return (unit_.fsr() >> 10) & 3;
    };
    EXPECT_EQ(compared(kFcmps, 0, 0x80000000), 0U);
    EXPECT_EQ(compared(kFcmps, 0, kOne), 1U);
    EXPECT_EQ(compared(kFcmpes, kInfinity, kOne), 2U);
    EXPECT_EQ(compared(kFcmps, kOne, kQuiet2), 3U);
    EXPECT_EQ(current(), 0U);
    EXPECT_EQ(compared(kFcmpes, kOne, kQuiet2), 3U);
    EXPECT_EQ(current(), FloatUnit::kInvalid);
}

TEST_F(FloatTest, ExceptionsAccrueUntilTheyTrap) {
    result(kFdivs, kOne, 0);
    EXPECT_EQ(current(), FloatUnit::kDivisionByZero);
    result(kFadds, kOne, kOne);
    EXPECT_EQ(current(), 0U);
    EXPECT_EQ(accrued(), FloatUnit::kDivisionByZero);

    unit_.set_fsr(FloatUnit::kOverflow << 23);
    unit_.set_f(1, 0x7f7fffff);
    unit_.set_f(3, 5);
    expect_trap(float_operation(kFadds, 3, 1, 1), kTrapFloatException);
    EXPECT_EQ(unit_.f(3), 5U);
    EXPECT_EQ(trap_kind(), 1U);
    EXPECT_EQ(current(), FloatUnit::kOverflow);  // overflow without inexact
    EXPECT_EQ(accrued(), 0U);

    unit_.set_fsr(FloatUnit::kInexact << 23);
    expect_trap(float_operation(kFadds, 3, 1, 1), kTrapFloatException);
    EXPECT_EQ(current(), FloatUnit::kInexact);
}

// The architecture's bits: NV 16, OF 8, UF 4, DZ 2, NX 1.
TEST_F(FloatTest, EachExceptionHasItsBit) {
    result(kFdivs, 0, 0);
    EXPECT_EQ(current(), 16U);
    result(kFdivs, kOne, 0);
    EXPECT_EQ(current(), 2U);
    result(kFadds, 0x7f7fffff, 0x7f7fffff);
    EXPECT_EQ(current(), 8U | 1U);
    EXPECT_EQ(accrued(), 16U | 8U | 2U | 1U);
    result(kFmuls, 0x00800001, 0x3f000000);
    EXPECT_EQ(current(), 4U | 1U);
    result(kFdivs, kOne, 0x40400000);
    EXPECT_EQ(current(), 1U);
    result(kFmovs, 0, kOne);
    EXPECT_EQ(current(), 0U);
    EXPECT_EQ(accrued(), 31U);
}

// A trap is taken for an enabled exception that the operation raised, independent of other bits.
TEST_F(FloatTest, OnlyWhatHasComeAboutTraps) {
    unit_.set_fsr(0x1eU << 23);
    EXPECT_EQ(result(kFdivs, kOne, 0x40400000), 0x3eaaaaabU);
    EXPECT_EQ(result(kFmovs, 0, kOne), kOne);
    unit_.set_f(1, kOne);
    unit_.set_f(2, 0);
    expect_trap(float_operation(kFdivs, 3, 1, 2), kTrapFloatException);
    EXPECT_EQ(current(), 2U);
}

TEST_F(FloatTest, TinyIsBeforeRounding) {
    // The smallest normal times the largest below 1 rounds up to the smallest normal.
    EXPECT_EQ(result(kFmuls, 0x00800000, 0x3f7fffff), 0x00800000U);
    EXPECT_EQ(current(), FloatUnit::kUnderflow | FloatUnit::kInexact);
    // Half of the smallest normal is exact, and so an underflow only if underflow traps.
    EXPECT_EQ(result(kFmuls, 0x00800000, 0x3f000000), 0x00400000U);
    EXPECT_EQ(current(), 0U);
    unit_.set_fsr(FloatUnit::kUnderflow << 23);
    expect_trap(float_operation(kFmuls, 3, 1, 2), kTrapFloatException);
    EXPECT_EQ(current(), FloatUnit::kUnderflow);
}

TEST_F(FloatTest, WhatTheUnitDoesNotHave) {
    expect_trap(float_operation(0x043, 0, 4, 8), kTrapFloatException);           // FADDq
    expect_trap(operation(kFpop2, 0, 4, 8) | 0x053U << 5, kTrapFloatException);  // FCMPq
    EXPECT_EQ(trap_kind(), 3U);
    unit_.set_reg(g(1), kMemory);
    expect_done(access(kStfsr, 0, g(1), 0));  // stores the FSR, then clears ftt
    EXPECT_EQ(memory_.word(kMemory), 0x0000c000U);
    EXPECT_EQ(trap_kind(), 0U);
    expect_trap(access(kStdfq, 0, g(1), 0), kTrapFloatException);
    EXPECT_EQ(trap_kind(), 4U);
    unit_.set_psr(kPsrTraps);
    expect_trap(access(kStdfq, 0, g(1), 0), kTrapPrivilegedInstruction);
}

// FPop1 and FPop2 have separate operation numbers. An operation under the other opcode is
// unimplemented, and keeps the exceptions of the previous operation.
TEST_F(FloatTest, AnOperationUnderTheOtherGroupsOpcodeIsUnimplemented) {
    for (const std::uint32_t word : {operation(kFpop2, 6, 12, 3) | unsigned{kFaddd} << 5,
                                     operation(kFpop2, 3, 0, 2) | unsigned{kFmovs} << 5,
                                     operation(kFpop1, 0, 1, 2) | unsigned{kFcmps} << 5,
                                     operation(kFpop1, 0, 4, 8) | unsigned{kFcmped} << 5}) {
        unit_.set_fsr(FloatUnit::kInexact);
        unit_.set_f(3, 5);
        expect_trap(word, kTrapFloatException);
        EXPECT_EQ(trap_kind(), 3U);
        EXPECT_EQ(current(), FloatUnit::kInexact);
        EXPECT_EQ(unit_.f(3), 5U);
        EXPECT_EQ((unit_.fsr() >> 10) & 3, 0U);  // fcc
    }
}

TEST_F(FloatTest, LoadsAndStores) {
    unit_.set_reg(g(1), kMemory);
    memory_.store(kMemory, 8, 0x0123456789abcdef);
    expect_done(access(kLddf, 3, g(1), 0));  // an odd register number selects the pair from 2 on
    EXPECT_EQ(unit_.f(2), 0x01234567U);
    EXPECT_EQ(unit_.f(3), 0x89abcdefU);
    expect_done(access(kStf, 3, g(1), 8));
    EXPECT_EQ(memory_.word(kMemory + 8), 0x89abcdefU);
    memory_.set_word(kMemory, 0xffffffff);
    expect_done(access(kLdfsr, 0, g(1), 0));
    EXPECT_EQ(unit_.fsr(), 0xcf800fffU);
}

TEST_F(FloatTest, SignsWithoutArithmetic) {
    EXPECT_EQ(result(kFnegs, 0, kSignaling1), 0xff800003U);
    EXPECT_EQ(result(kFabss, 0, kSignaling2), 0x7f800004U);
    EXPECT_EQ(result(kFmovs, 0, kSignaling2), kSignaling2);
    EXPECT_EQ(current(), 0U);
    EXPECT_EQ(unit_.last_class(), InstructionClass::kFloatMove);
}

class V8FloatTest : public FloatTest {
  protected:
    V8FloatTest() {
        unit_ = IntegerUnit({.multiply_divide = true});
        unit_.set_pc(kCode, kCode + 4);
        unit_.set_psr(kPsr);
    }

    std::uint64_t product(std::uint32_t a, std::uint32_t b) {
        unit_.set_f(1, a);
        unit_.set_f(2, b);
        expect_done(float_operation(kFsmuld, 4, 1, 2));
        return std::uint64_t{unit_.f(4)} << 32 | unit_.f(5);
    }
};

TEST_F(V8FloatTest, TwoSinglesMakeADouble) {
    // The operands are 1.5 and -2.25.
    EXPECT_EQ(std::bit_cast<double>(product(0x3fc00000, 0xc0100000)), -3.375);
    EXPECT_EQ(std::bit_cast<double>(product(0x3f800001, 0x3f800001)),
              (1 + 0x1p-23) * (1 + 0x1p-23));
    EXPECT_EQ(accrued(), 0U);
    EXPECT_EQ(product(kOne, kQuiet2), 0x7ff8'0000'4000'0000U);
    EXPECT_EQ(current(), 0U);
    EXPECT_EQ(product(kSignaling1, kOne), 0x7ff8'0000'6000'0000U);
    EXPECT_EQ(current(), 16U);
    EXPECT_EQ(product(kOne, kSignaling2), 0xfff8'0000'8000'0000U);
    EXPECT_EQ(current(), 16U);
}

}  // namespace
}  // namespace weir::nodes::sparcle
