#include <gtest/gtest.h>

#include "nodes/sparcle/integer_unit.h"
#include "nodes/sparcle/testing/assembler.h"

namespace weir::nodes::sparcle {
namespace {

using namespace testing;  // NOLINT: the words of this file's programs

class BranchTest : public ::testing::Test {
  protected:
    void SetUp() override {
        unit_.reset();
        unit_.set_pc(0x1000, 0x1004);
        unit_.set_psr(kPsrSupervisor | kPsrTraps | kPsrFloat);
    }

    void execute(std::uint32_t word, InstructionClass expected) {
        ASSERT_EQ(unit_.execute(word), StepEnd::kDone);
        EXPECT_EQ(unit_.last_class(), expected);
    }
    void expect_at(std::uint32_t pc, std::uint32_t npc) {
        EXPECT_EQ(unit_.pc(), pc);
        EXPECT_EQ(unit_.npc(), npc);
    }
    void set_icc(std::uint32_t icc) { unit_.set_psr((unit_.psr() & ~0xf00000U) | icc << 20); }

    IntegerUnit unit_{{}};
};

constexpr unsigned kBn = 0;
constexpr unsigned kBe = 1;
constexpr unsigned kBa = 8;
constexpr unsigned kBne = 9;
constexpr auto kBranchClass = InstructionClass::kBranch;

TEST_F(BranchTest, ATakenBranchGoesAfterTheInstructionBehindIt) {
    execute(branch(kBicc, kBne, false, 0x40), kBranchClass);
    expect_at(0x1004, 0x1100);
    EXPECT_FALSE(unit_.next_is_annulled());
    execute(kNop, InstructionClass::kInteger);
    expect_at(0x1100, 0x1104);
}

TEST_F(BranchTest, ATakenConditionalBranchDoesNotAnnul) {
    execute(branch(kBicc, kBne, true, -4), kBranchClass);
    expect_at(0x1004, 0x0ff0);
    EXPECT_FALSE(unit_.next_is_annulled());
}

TEST_F(BranchTest, ABranchThatIsNotTakenAnnulsWhenAsked) {
    execute(branch(kBicc, kBe, true, 0x40), kBranchClass);
    expect_at(0x1004, 0x1008);
    EXPECT_TRUE(unit_.next_is_annulled());
    execute(operation_immediate(kAdd, g(1), g(0), 7), InstructionClass::kAnnulled);
    expect_at(0x1008, 0x100c);
    EXPECT_EQ(unit_.reg(g(1)), 0U);
    EXPECT_FALSE(unit_.next_is_annulled());

    execute(branch(kBicc, kBe, false, 0x40), kBranchClass);
    EXPECT_FALSE(unit_.next_is_annulled());
}

TEST_F(BranchTest, BranchAlwaysAnnulsItsDelayInstruction) {
    execute(branch(kBicc, kBa, true, 0x40), kBranchClass);
    expect_at(0x1004, 0x1100);
    EXPECT_TRUE(unit_.next_is_annulled());
    execute(0, InstructionClass::kAnnulled);
    expect_at(0x1100, 0x1104);
}

TEST_F(BranchTest, BranchNeverWithAnnulSkipsOne) {
    execute(branch(kBicc, kBn, true, 0x40), kBranchClass);
    expect_at(0x1004, 0x1008);
    EXPECT_TRUE(unit_.next_is_annulled());
}

// V7 and V8: one instruction of the first target, then the second target.
TEST_F(BranchTest, ACoupleOfBranchesExecutesOneInstructionOfTheFirstTarget) {
    execute(branch(kBicc, kBa, false, 0x40), kBranchClass);   // at 0x1000, to 0x1100
    execute(branch(kBicc, kBa, false, 0x100), kBranchClass);  // at 0x1004, to 0x1404
    expect_at(0x1100, 0x1404);
    execute(kNop, InstructionClass::kInteger);
    expect_at(0x1404, 0x1408);
}

TEST_F(BranchTest, ConditionsOfIcc) {
    // Conditions N, E, LE, L, LEU, CS, NEG, VS, then their opposites, for icc = 0, Z, N, V, C, and
    // N with V.
    struct Row {
        std::uint32_t icc;
        std::uint32_t taken;  // bit n: condition n
    };
    for (const Row& row : {Row{0x0, 0xff00}, Row{0x4, 0xe916}, Row{0x8, 0xb34c}, Row{0x2, 0x738c},
                           Row{0x1, 0xcf30}, Row{0xa, 0x3fc0}}) {
        for (unsigned condition = 0; condition < 16; ++condition) {
            set_icc(row.icc);
            unit_.set_pc(0x1000, 0x1004);
            ASSERT_EQ(unit_.execute(branch(kBicc, condition, false, 0x40)), StepEnd::kDone);
            EXPECT_EQ(unit_.npc() == 0x1100, ((row.taken >> condition) & 1) != 0)
                << "icc " << row.icc << " condition " << condition;
        }
    }
}

TEST_F(BranchTest, ConditionsOfFcc) {
    // Bit n: condition n is taken. N NE LG UL L UG G U, A E UE GE UGE LE ULE O.
    constexpr std::uint32_t kEqual = 0xff00;
    constexpr std::uint32_t kLess = 0xe11e;
    constexpr std::uint32_t kGreater = 0x9966;
    constexpr std::uint32_t kUnordered = 0x55aa;
    unsigned fcc = 0;
    for (const std::uint32_t taken : {kEqual, kLess, kGreater, kUnordered}) {
        unit_.set_fsr(fcc++ << 10);
        for (unsigned condition = 0; condition < 16; ++condition) {
            unit_.set_pc(0x1000, 0x1004);
            ASSERT_EQ(unit_.execute(branch(kFbfcc, condition, false, 0x40)), StepEnd::kDone);
            EXPECT_EQ(unit_.npc() == 0x1100, ((taken >> condition) & 1) != 0)
                << "fcc " << fcc - 1 << " condition " << condition;
        }
    }
}

// CB1 and CB0 test a bit that WRPSR can set, too; other conditions do not exist.
TEST_F(BranchTest, BfullAndBemptyLookAtWhatTheLastAccessThatReportsHasFound) {
    for (const bool was_full : {true, false}) {
        unit_.report_full(was_full);
        unit_.set_psr(unit_.psr());
        EXPECT_EQ((unit_.psr() & SPARCLE_PSR_FULL) != 0, was_full);
        for (unsigned condition = 0; condition < 16; ++condition) {
            unit_.set_pc(0x1000, 0x1004);
            const StepEnd end = unit_.execute(branch(kCbccc, condition, true, 0x40));
            if (condition != kCoprocessorSays0 && condition != kCoprocessorSays1) {
                ASSERT_EQ(end, StepEnd::kTrap);
                EXPECT_EQ(unit_.trap_type(), kTrapCoprocessorDisabled);
                continue;
            }
            const bool is_taken = was_full == (condition == kCoprocessorSays1);
            ASSERT_EQ(end, StepEnd::kDone);
            EXPECT_EQ(unit_.npc(), is_taken ? 0x1100U : 0x1008U);
            EXPECT_EQ(unit_.next_is_annulled(), !is_taken);
            unit_.execute(kNop);
        }
    }
}

TEST_F(BranchTest, CallLeavesItsAddressInO7) {
    execute(call(-0x400), InstructionClass::kCall);
    expect_at(0x1004, 0);
    EXPECT_EQ(unit_.reg(o(7)), 0x1000U);
}

TEST_F(BranchTest, JmplLeavesItsAddressInRd) {
    unit_.set_reg(g(1), 0x2000);
    execute(operation_immediate(kJmplOp3, g(1), g(1), 8), InstructionClass::kJmpl);
    expect_at(0x1004, 0x2008);
    EXPECT_EQ(unit_.reg(g(1)), 0x1000U);
}

TEST_F(BranchTest, JmplToNoWordTraps) {
    unit_.set_reg(g(1), 0x2002);
    EXPECT_EQ(unit_.execute(operation_immediate(kJmplOp3, g(1), g(1), 8)), StepEnd::kTrap);
    EXPECT_EQ(unit_.trap_type(), kTrapAddressNotAligned);
    EXPECT_EQ(unit_.reg(g(1)), 0x2002U);
    expect_at(0x1000, 0x1004);
}

}  // namespace
}  // namespace weir::nodes::sparcle
