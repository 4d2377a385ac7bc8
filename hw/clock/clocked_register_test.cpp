#include "hw/clock/clocked_register.h"

#include <gtest/gtest.h>

#include <map>

#include "hw/random_stream.h"

namespace weir::hw {
namespace {

TEST(ClockedRegisterTest, ShowsItsResetValueFromTheStart) {
    const ClockedRegister<int> level(7);
    EXPECT_EQ(level.read(Cycles(0)), 7);
    EXPECT_EQ(level.latest(), 7);
}

TEST(ClockedRegisterTest, ShowsAWriteFromTheNextCycleOn) {
    ClockedRegister<int> level(7);
    level.write(8, Cycles(5));
    EXPECT_EQ(level.read(Cycles(5)), 7);
    EXPECT_EQ(level.read(Cycles(6)), 8);
    EXPECT_EQ(level.read(Cycles(1000)), 8);
}

TEST(ClockedRegisterTest, ShowsItsOwnerAWriteAtOnce) {
    ClockedRegister<int> level(7);
    level.write(8, Cycles(5));
    EXPECT_EQ(level.latest(), 8);
}

TEST(ClockedRegisterTest, ShowsAWriteFromTheCycleItNames) {
    ClockedRegister<int> level(7);
    level.write(8, Cycles(5), Cycles(9));
    EXPECT_EQ(level.read(Cycles(8)), 7);
    EXPECT_EQ(level.read(Cycles(9)), 8);
}

TEST(ClockedRegisterTest, KeepsTheLastOfTheWritesOfACycle) {
    ClockedRegister<int> level(7);
    level.write(8, Cycles(5));
    level.write(9, Cycles(5));
    EXPECT_EQ(level.read(Cycles(5)), 7);
    EXPECT_EQ(level.read(Cycles(6)), 9);
}

TEST(ClockedRegisterTest, IsWrittenInEveryCycleWithoutLosingTheValueInBetween) {
    ClockedRegister<int> level(0);
    for (int cycle = 1; cycle <= 5; ++cycle) {
        level.write(10 * cycle, Cycles(cycle));
        EXPECT_EQ(level.read(Cycles(cycle)), 10 * (cycle - 1));
    }
    EXPECT_EQ(level.read(Cycles(6)), 50);
}

// A register without a clock, as the counterexample to ClockedRegister.
class PlainVariable {
  public:
    explicit PlainVariable(int value) : value_(value) {}
    [[nodiscard]] int read(Cycles) const { return value_; }
    void write(int value, Cycles) { value_ = value; }

  private:
    int value_;
};

// Number of cycles, of 1,000, in which a read before the write and one after it differ.
template <class Register>
int disagreements_of_readers() {
    RandomStream random(1, NodeId(0), "clocked register test");
    Register shared(0);
    int disagreements = 0;
    for (std::int64_t cycle = 0; cycle < 1000; ++cycle) {
        const Cycles now(cycle);
        const int before = shared.read(now);
        if (random.below(2) == 0) {
            shared.write(static_cast<int>(random.below(1000)) + 1, now);
        }
        disagreements += shared.read(now) != before ? 1 : 0;
    }
    return disagreements;
}

TEST(ClockedRegisterTest, GivesReadersBeforeAndAfterTheWriteTheSameAnswer) {
    EXPECT_EQ(disagreements_of_readers<ClockedRegister<int>>(), 0);
}

TEST(ClockedRegisterTest, PlantedPlainVariableIsCaught) {
    EXPECT_GT(disagreements_of_readers<PlainVariable>(), 0);
}

}  // namespace
}  // namespace weir::hw
