#include "experiments/statistics/successive_halving.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::experiments::statistics {
namespace {

using ::testing::ElementsAre;

TEST(SuccessiveHalvingTest, HalfGoOnWithTwiceTheValues) {
    EXPECT_THAT(halving_rounds(16, 8, 1000), ElementsAre(HalvingRound{16, 1}, HalvingRound{8, 2},
                                                         HalvingRound{4, 4}, HalvingRound{2, 8}));
    // number of values: 16 + 8 + 4 * 2 + 2 * 4
    EXPECT_EQ(values_of(halving_rounds(16, 8, 1000)), 40U);
    EXPECT_EQ(halving_rounds(16, 8, 40), halving_rounds(16, 8, 1000));
}

TEST(SuccessiveHalvingTest, FewerGoOnWhereTheBudgetIsSmall) {
    EXPECT_THAT(halving_rounds(16, 8, 39), ElementsAre(HalvingRound{16, 1}, HalvingRound{7, 2},
                                                       HalvingRound{3, 4}, HalvingRound{2, 8}));
    // The first round keeps a quarter of the candidates. The number of values is within a fifth of
    // 24 * 10: 24 + 6 + 2 * 2 + 2 * 4 + 2 * 2.
    EXPECT_THAT(halving_rounds(24, 10, 46),
                ElementsAre(HalvingRound{24, 1}, HalvingRound{6, 2}, HalvingRound{2, 4},
                            HalvingRound{2, 8}, HalvingRound{2, 10}));
}

TEST(SuccessiveHalvingTest, FewerAreTriedWhereItIsSmallerStill) {
    const std::vector<HalvingRound> rounds = halving_rounds(1000, 10, 100);
    EXPECT_LT(rounds.front().candidates, 100U);
    EXPECT_GT(rounds.front().candidates, 50U);
    EXPECT_EQ(rounds.back(), (HalvingRound{2, 10}));
}

TEST(SuccessiveHalvingTest, KeepsToAnyBudgetAndEndsWithAllValues) {
    for (std::size_t candidates = 1; candidates <= 40; ++candidates) {
        for (std::size_t values = 1; values <= 12; ++values) {
            const std::size_t least = least_budget(candidates, values);
            for (std::size_t budget = least; budget < least + 60; ++budget) {
                const std::vector<HalvingRound> rounds = halving_rounds(candidates, values, budget);
                ASSERT_LE(values_of(rounds), budget);
                ASSERT_EQ(rounds.back().values, values);
                ASSERT_LE(rounds.front().candidates, candidates);
                for (std::size_t i = 1; i < rounds.size(); ++i) {
                    ASSERT_LE(rounds[i].candidates, rounds[i - 1].candidates);
                    ASSERT_GT(rounds[i].values, rounds[i - 1].values);
                }
            }
        }
    }
}

TEST(SuccessiveHalvingTest, WithOneValueEachThereIsOneRound) {
    EXPECT_THAT(halving_rounds(16, 1, 100), ElementsAre(HalvingRound{16, 1}));
    EXPECT_THAT(halving_rounds(16, 1, 7), ElementsAre(HalvingRound{7, 1}));
    EXPECT_THAT(halving_rounds(1, 5, 5), ElementsAre(HalvingRound{1, 1}, HalvingRound{1, 2},
                                                     HalvingRound{1, 4}, HalvingRound{1, 5}));
}

}  // namespace
}  // namespace weir::experiments::statistics
