#include "memory/coherence/golden_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "hw/testing/names.h"

namespace weir::memory {
namespace {

using weir::testing::Names;

constexpr hw::NodeId kNode{3};
constexpr hw::Cycles kNow{70};
constexpr std::uint64_t kAddress = 1000;

using Word = std::array<std::uint8_t, 4>;

// Message for a load of these bytes; empty if they are right.
std::string told(const GoldenMemory& golden, std::uint64_t address, const Word& loaded) {
    try {
        golden.check_load(kNode, kNow, address, loaded);
    } catch (const CoherenceViolation& violation) {
        return violation.what();
    }
    return "";
}

TEST(GoldenMemoryTest, IsZeroWhereNothingWasStored) {
    const GoldenMemory golden;
    EXPECT_EQ(told(golden, kAddress, {0, 0, 0, 0}), "");
    EXPECT_THAT(told(golden, kAddress, {0, 0, 1, 0}),
                Names("node 3", "cycle 70", "1002", "loaded", "1", "0", "stored"));
}

TEST(GoldenMemoryTest, EachByteIsTheOneThatWasStoredLast) {
    GoldenMemory golden;
    golden.store(kAddress, Word{1, 2, 3, 4});
    golden.store(kAddress + 2, Word{5, 6, 7, 8});
    EXPECT_EQ(told(golden, kAddress, {1, 2, 5, 6}), "");
    EXPECT_EQ(told(golden, kAddress + 2, {5, 6, 7, 8}), "");
    for (std::size_t i = 0; i < 4; ++i) {
        Word wrong{1, 2, 5, 6};
        wrong.at(i) = 9;
        EXPECT_NE(told(golden, kAddress, wrong), "") << i;
    }
    EXPECT_EQ(told(golden, kAddress - 4, {0, 0, 0, 0}), "");
    EXPECT_EQ(told(golden, kAddress + 6, {0, 0, 0, 0}), "");
}

TEST(GoldenMemoryTest, WordsAreFullUntilTheyAreMadeEmpty) {
    GoldenMemory golden;
    EXPECT_NO_THROW(golden.check_bit(kNode, kNow, kAddress, true));
    EXPECT_THROW(golden.check_bit(kNode, kNow, kAddress, false), CoherenceViolation);
    golden.set_bit(kAddress, false);
    EXPECT_NO_THROW(golden.check_bit(kNode, kNow, kAddress, false));
    EXPECT_THROW(golden.check_bit(kNode, kNow, kAddress, true), CoherenceViolation);
    EXPECT_NO_THROW(golden.check_bit(kNode, kNow, kAddress + 4, true));
    golden.set_bit(kAddress, true);
    EXPECT_NO_THROW(golden.check_bit(kNode, kNow, kAddress, true));
}

}  // namespace
}  // namespace weir::memory
