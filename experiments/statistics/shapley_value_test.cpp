#include "experiments/statistics/shapley_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <numeric>

namespace weir::experiments::statistics {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

// Shapley's airport: runways of 1, 2 and 4 cost max(1, 2, 4) together.
double longest_runway(PlayerSet players) {
    return (players & 4U) != 0 ? 4.0 : (players & 2U) != 0 ? 2.0 : (players & 1U) != 0 ? 1.0 : 0.0;
}

TEST(ShapleyValueTest, TheAirportGameHasItsKnownShares) {
    EXPECT_THAT(shapley_values(std::vector<PlayerSet>{0, 0, 0}, longest_runway),
                ElementsAre(DoubleNear(1.0 / 3.0, 1e-12), DoubleNear(5.0 / 6.0, 1e-12),
                            DoubleNear(17.0 / 6.0, 1e-12)));
}

// With a single permitted order each player has its own increase.
TEST(ShapleyValueTest, AChainIsOneOrder) {
    EXPECT_THAT(shapley_values(std::vector<PlayerSet>{0, 1, 3}, longest_runway),
                ElementsAre(1.0, 1.0, 2.0));
}

TEST(ShapleyValueTest, AConstraintRemovesTheOrdersThatBreakIt) {
    // Player 1 comes after player 0; player 2 is free: orders 012, 021, 201.
    EXPECT_THAT(permitted_sets(std::vector<PlayerSet>{0, 1, 0}), ElementsAre(0, 1, 3, 4, 5, 7));
    EXPECT_THAT(shapley_values(std::vector<PlayerSet>{0, 1, 0}, longest_runway),
                ElementsAre(DoubleNear(2.0 / 3.0, 1e-12), DoubleNear(1.0 / 3.0, 1e-12),
                            DoubleNear(3.0, 1e-12)));
}

TEST(ShapleyValueTest, SharesSumToTheWhole) {
    const auto value = [](PlayerSet set) {
        return static_cast<double>(std::popcount(set) * std::popcount(set)) + 0.25 * (set % 7);
    };
    const std::vector<PlayerSet> before{0, 0, 1, 2, 0};
    const std::vector<double> shares = shapley_values(before, value);
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), value(31) - value(0), 1e-12);
    EXPECT_TRUE(shapley_values({}, value).empty());
}

}  // namespace
}  // namespace weir::experiments::statistics
