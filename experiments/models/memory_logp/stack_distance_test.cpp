#include "experiments/models/memory_logp/stack_distance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace weir::experiments::models {
namespace {

using ::testing::ElementsAre;

// Mattson's definition with a stack: the distance of a block is the number of blocks above it.
std::vector<std::uint64_t> distances_by_a_stack(const std::vector<std::uint64_t>& blocks,
                                                std::uint64_t sets) {
    std::vector<std::vector<std::uint64_t>> stacks(sets);
    std::vector<std::uint64_t> distances;
    for (const std::uint64_t block : blocks) {
        auto& stack = stacks[block % sets];
        const auto found = std::find(stack.begin(), stack.end(), block);
        distances.push_back(found == stack.end()
                                ? kFirstReference
                                : static_cast<std::uint64_t>(found - stack.begin()));
        if (found != stack.end()) {
            stack.erase(found);
        }
        stack.insert(stack.begin(), block);
    }
    return distances;
}

TEST(StackDistance, CountsTheDistinctBlocksSinceTheLastReference) {
    EXPECT_THAT(stack_distances_within_sets({7, 7, 8, 9, 8, 7, 9}, 1),
                ElementsAre(kFirstReference, 0, kFirstReference, kFirstReference, 1, 2, 2));
}

TEST(StackDistance, CountsOnlyBlocksOfTheSameSet) {
    // Even and odd numbers form two sets.
    EXPECT_THAT(
        stack_distances_within_sets({2, 3, 5, 4, 2, 3, 4}, 2),
        ElementsAre(kFirstReference, kFirstReference, kFirstReference, kFirstReference, 1, 1, 1));
}

TEST(StackDistance, OfNoReferencesAreNone) {
    EXPECT_TRUE(stack_distances_within_sets({}, 4).empty());
}

TEST(StackDistance, OfACyclicPassIsTheFootprintWithoutTheBlockItself) {
    constexpr std::uint64_t kFootprint = 1000;
    std::vector<std::uint64_t> blocks;
    for (std::uint64_t i = 0; i < 3 * kFootprint; ++i) {
        blocks.push_back(i % kFootprint);
    }
    const auto distances = stack_distances_within_sets(blocks, 1);
    EXPECT_TRUE(std::all_of(distances.begin() + kFootprint, distances.end(),
                            [](std::uint64_t d) { return d == kFootprint - 1; }));
}

TEST(StackDistance, EqualsAStacksOnRandomReferences) {
    std::mt19937_64 random(1975);
    for (int trial = 0; trial < 200; ++trial) {
        const std::uint64_t sets = 1 + random() % 7;
        const std::uint64_t footprint = 1 + random() % 60;
        std::vector<std::uint64_t> blocks(random() % 400);
        for (std::uint64_t& block : blocks) {
            block = random() % footprint;
        }
        EXPECT_EQ(stack_distances_within_sets(blocks, sets), distances_by_a_stack(blocks, sets))
            << "trial " << trial;
    }
}

}  // namespace
}  // namespace weir::experiments::models
