#include "memory/coherence/sequential_consistency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "hw/testing/names.h"

namespace weir::memory {

namespace {

using weir::testing::Names;

constexpr std::int64_t kX = 0x10;
constexpr std::int64_t kY = 0x20;
constexpr std::int64_t kNothing = hw::SharedAccess::kNothing;

/// Accesses as in a trace, in the order of time: one a cycle, with its number as the cycle.
class Accesses {
  public:
    Accesses& store(int node, std::int64_t address, std::int64_t word) {
        return add(node, address, kNothing, word);
    }
    Accesses& load(int node, std::int64_t address, std::int64_t word) {
        return add(node, address, word, kNothing);
    }
    Accesses& exchange(int node, std::int64_t address, std::int64_t loaded, std::int64_t stored) {
        return add(node, address, loaded, stored);
    }
    /// Adds the row of the last access's full/empty bit: the bit's state before and after the
    /// access.
    Accesses& with_bit(std::int64_t loaded, std::int64_t stored) {
        const hw::SharedAccess access = all_.back();
        add(0, access.address + 1, loaded, stored);
        all_.back().node = access.node;
        all_.back().cycle = access.cycle;
        return *this;
    }
    /// Moves the last access to another context of its node.
    Accesses& in_context(std::int64_t context) {
        all_.back().context = context;
        return *this;
    }
    [[nodiscard]] OrderCheck check() const { return check_order(all_); }
    [[nodiscard]] std::string fault() const { return check().fault; }

  private:
    Accesses& add(int node, std::int64_t address, std::int64_t loaded, std::int64_t stored) {
        const auto number = static_cast<std::int64_t>(all_.size());
        all_.push_back({.node = hw::NodeId(node),
                        .sequence = number,
                        .cycle = hw::Cycles(number),
                        .address = address,
                        .loaded = loaded,
                        .stored = stored});
        return *this;
    }

    std::vector<hw::SharedAccess> all_;
};

TEST(SequentialConsistencyTest, WhatOneMemoryGivesHasAnOrder) {
    const OrderCheck check = Accesses()
                                 .load(0, kX, 7)
                                 .store(1, kX, 1)
                                 .exchange(2, kX, 1, 2)
                                 .load(0, kX, 2)
                                 .store(0, kY, 1)
                                 .load(1, kY, 1)
                                 .check();
    EXPECT_EQ(check.fault, "");
    EXPECT_EQ(check.words, 2);
    EXPECT_EQ(check.programs, 3);
    EXPECT_EQ(check_order({}).fault, "");
}

// Cycles do not matter: a load performed after a store may precede it in the order.
TEST(SequentialConsistencyTest, AnOldWordAloneIsNoFault) {
    EXPECT_EQ(Accesses().store(0, kX, 1).load(1, kX, 0).load(1, kX, 1).fault(), "");
    EXPECT_EQ(Accesses().load(1, kX, 0).load(1, kX, 1).store(0, kX, 1).fault(), "");
}

TEST(SequentialConsistencyTest, TwoLoadsBeforeBothStoresOfTheOthersAreACycle) {
    EXPECT_THAT(
        Accesses().store(0, kX, 1).store(1, kY, 1).load(0, kY, 0).load(1, kX, 0).fault(),
        Names("node 0", "cycle 0", "stores 1", "0x10", "program", "node 0", "cycle 2", "loads 0",
              "0x20", "from-reads", "node 1", "cycle 1", "stores 1", "0x20", "program", "node 1",
              "cycle 3", "loads 0", "0x10", "from-reads", "node 0", "cycle 0", "stores 1", "0x10"));
}

TEST(SequentialConsistencyTest, AFlagWithoutItsDataIsACycle) {
    Accesses seen;
    seen.store(0, kX, 1).store(0, kY, 1).load(1, kY, 1).load(1, kX, 0);
    EXPECT_NE(seen.fault(), "");
    // If the two loads belong to different programs, an order exists.
    EXPECT_EQ(seen.in_context(1).fault(), "");
}

TEST(SequentialConsistencyTest, AWordThatIsOldAgainIsACycle) {
    EXPECT_NE(Accesses().store(0, kX, 1).load(1, kX, 1).load(1, kX, 0).fault(), "");
}

TEST(SequentialConsistencyTest, TwoExchangesOfOneWordAreACycle) {
    EXPECT_NE(Accesses().exchange(0, kX, 0, 1).exchange(1, kX, 0, 2).fault(), "");
    EXPECT_EQ(Accesses().exchange(0, kX, 0, 1).exchange(1, kX, 1, 2).fault(), "");
}

// A word and its bit change together: a program that has seen the new word cannot see the old bit.
TEST(SequentialConsistencyTest, NothingComesBetweenAWordAndItsBit) {
    EXPECT_NE(Accesses().store(0, kX, 5).with_bit(0, 1).load(1, kX, 5).load(1, kX + 1, 0).fault(),
              "");
    EXPECT_EQ(Accesses().store(0, kX, 5).with_bit(0, 1).load(1, kX, 5).load(1, kX + 1, 1).fault(),
              "");
}

TEST(SequentialConsistencyTest, AWordThatNobodyStoredIsAFault) {
    EXPECT_THAT(Accesses().load(0, kX, 0).store(1, kX, 1).load(0, kX, 5).fault(),
                Names("node 0", "cycle 2", "loads 5", "0x10", "stored"));
}

TEST(SequentialConsistencyTest, AWordStoredTwiceIsReadFromTheLastStore) {
    EXPECT_EQ(Accesses()
                  .store(0, kX, 1)
                  .store(0, kX, 0)
                  .store(0, kX, 1)
                  .load(1, kX, 1)
                  .store(1, kX, 0)
                  .load(0, kX, 0)
                  .fault(),
              "");
}

}  // namespace

}  // namespace weir::memory
