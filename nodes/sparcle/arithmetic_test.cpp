#include "nodes/sparcle/testing/unit_test_bench.h"

namespace weir::nodes::sparcle {
namespace {

using namespace testing;  // NOLINT: the words of this file's programs

// icc is N, Z, V, C from bit 3 down.
class ArithmeticTest : public UnitTest {
  protected:
    std::uint32_t result(unsigned op3, std::uint32_t a, std::uint32_t b) {
        unit_.set_reg(g(1), a);
        unit_.set_reg(g(2), b);
        expect_done(operation(op3, g(3), g(1), g(2)));
        return unit_.reg(g(3));
    }
};

TEST_F(ArithmeticTest, AdditionSetsOverflowAndCarry) {
    EXPECT_EQ(result(kAddcc, 0x7fffffff, 1), 0x80000000U);
    EXPECT_EQ(icc(), 0b1010U);
    EXPECT_EQ(result(kAddcc, 0xffffffff, 1), 0U);
    EXPECT_EQ(icc(), 0b0101U);
    EXPECT_EQ(result(kAddxcc, 0xffffffff, 0xffffffff), 0xffffffffU);  // carry in
    EXPECT_EQ(icc(), 0b1001U);
}

TEST_F(ArithmeticTest, SubtractionSetsBorrow) {
    EXPECT_EQ(result(kSubcc, 0, 1), 0xffffffffU);
    EXPECT_EQ(icc(), 0b1001U);
    EXPECT_EQ(result(kSubxcc, 0x80000000, 0), 0x7fffffffU);  // borrow in
    EXPECT_EQ(icc(), 0b0010U);
}

TEST_F(ArithmeticTest, LogicClearsOverflowAndCarry) {
    result(kAddcc, 0xffffffff, 1);
    EXPECT_EQ(result(kXnorcc, 0xff00ff00, 0x0ff00ff0), 0x0f0f0f0fU);
    EXPECT_EQ(icc(), 0U);
    EXPECT_EQ(result(kOrncc, 0, 0), 0xffffffffU);
    EXPECT_EQ(icc(), 0b1000U);
}

TEST_F(ArithmeticTest, ShiftsTakeFiveBits) {
    EXPECT_EQ(result(kSll, 3, 33), 6U);
    EXPECT_EQ(result(kSrl, 0x80000000, 31), 1U);
    EXPECT_EQ(result(kSra, 0x80000000, 63), 0xffffffffU);
}

TEST_F(ArithmeticTest, RegisterZeroStaysZero) {
    expect_done(operation_immediate(kAdd, g(0), g(0), 5));
    EXPECT_EQ(unit_.reg(g(0)), 0U);
}

TEST_F(ArithmeticTest, TagsThatAreNotZeroOverflow) {
    EXPECT_EQ(result(kTaddcc, 4, 8), 12U);
    EXPECT_EQ(icc(), 0U);
    EXPECT_EQ(result(kTaddcc, 5, 8), 13U);
    EXPECT_EQ(icc(), 0b0010U);
    EXPECT_EQ(result(kTsubcc, 8, 6), 2U);
    EXPECT_EQ(icc(), 0b0010U);
    EXPECT_EQ(result(kTaddcc, 0x7ffffffc, 4), 0x80000000U);
    EXPECT_EQ(icc(), 0b1010U);
}

TEST_F(ArithmeticTest, TagOverflowTrapsAndLeavesIcc) {
    result(kAddcc, 0xffffffff, 1);
    unit_.set_reg(g(1), 5);
    unit_.set_reg(g(2), 8);
    expect_trap(operation(kTaddccTv, g(3), g(1), g(2)), kTrapTagOverflow);
    expect_trap(operation(kTsubccTv, g(3), g(1), g(2)), kTrapTagOverflow);
    EXPECT_EQ(icc(), 0b0101U);
    EXPECT_EQ(result(kTaddccTv, 4, 8), 12U);
    EXPECT_EQ(icc(), 0U);
}

// Multiplication in V7: 32 steps and a final shift.
TEST_F(ArithmeticTest, MultiplyStepsMultiply) {
    unit_.set_y(0x12345678);
    unit_.set_reg(g(2), 0x00abcdef);
    expect_done(operation(kAndcc, g(3), g(0), g(0)));
    for (unsigned step = 0; step < 32; ++step) {
        expect_done(operation(kMulscc, g(3), g(3), g(2)));
    }
    expect_done(operation(kMulscc, g(3), g(3), g(0)));
    const std::uint64_t product = std::uint64_t{0x12345678} * 0x00abcdef;
    EXPECT_EQ(unit_.reg(g(3)), static_cast<std::uint32_t>(product >> 32));
    EXPECT_EQ(unit_.y(), static_cast<std::uint32_t>(product));
}

TEST_F(ArithmeticTest, MultiplyStep) {
    // N xor V = 1 is shifted in at the top, rs1's lowest bit goes to Y's top, and Y's lowest bit
    // was 1.
    unit_.set_psr(kPsr | 0x800000);
    unit_.set_y(1);
    EXPECT_EQ(result(kMulscc, 3, 0x10), 0x80000011U);
    EXPECT_EQ(unit_.y(), 0x80000000U);
    EXPECT_EQ(icc(), 0b1000U);
}

TEST_F(ArithmeticTest, WithoutV8NothingMultipliesOrDivides) {
    for (const unsigned op3 : {kUmul, kSmul, kUdiv, kSdiv, kUmulcc, kSmulcc, kUdivcc, kSdivcc}) {
        expect_trap(operation_immediate(op3, g(3), g(1), 1), kTrapIllegalInstruction);
    }
    expect_trap(float_operation(kFsmuld, 0, 2, 4), kTrapFloatException);
}

class V8ArithmeticTest : public ArithmeticTest {
  protected:
    V8ArithmeticTest() { unit_ = IntegerUnit({.multiply_divide = true}); }
};

TEST_F(V8ArithmeticTest, ProductsHaveTheirUpperHalfInY) {
    EXPECT_EQ(result(kUmulcc, 0xffffffff, 0xffffffff), 1U);
    EXPECT_EQ(unit_.y(), 0xfffffffeU);
    EXPECT_EQ(result(kSmulcc, 0xffffffff, 2), 0xfffffffeU);
    EXPECT_EQ(unit_.y(), 0xffffffffU);
    EXPECT_EQ(icc(), 0b1000U);
}

TEST_F(V8ArithmeticTest, QuotientsSaturate) {
    unit_.set_y(1);
    EXPECT_EQ(result(kUdivcc, 0, 2), 0x80000000U);
    EXPECT_EQ(icc(), 0b1000U);
    EXPECT_EQ(result(kUdivcc, 0, 1), 0xffffffffU);
    EXPECT_EQ(icc(), 0b1010U);
    unit_.set_y(0x80000000);
    EXPECT_EQ(result(kSdivcc, 0, 0xffffffff), 0x7fffffffU);
    EXPECT_EQ(icc(), 0b0010U);
    EXPECT_EQ(result(kSdivcc, 0, 1), 0x80000000U);
    EXPECT_EQ(icc(), 0b1010U);
    unit_.set_y(0xffffffff);
    EXPECT_EQ(result(kSdiv, 0xfffffff9, 2), 0xfffffffdU);  // -7 / 2 = -3
    unit_.set_reg(g(2), 0);
    expect_trap(operation(kUdiv, g(3), g(1), g(2)), kTrapDivisionByZero);
}

}  // namespace
}  // namespace weir::nodes::sparcle
