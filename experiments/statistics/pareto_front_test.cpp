#include "experiments/statistics/pareto_front.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace weir::experiments::statistics {
namespace {

using ::testing::ElementsAre;

TEST(ParetoFrontTest, IsWhatNoneBeats) {
    EXPECT_THAT(pareto_front({{4, 10}, {1, 50}, {2, 20}, {3, 30}, {2, 25}, {8, 10}}),
                ElementsAre(1U, 2U, 0U));
    EXPECT_THAT(pareto_front({{1, 5}, {1, 5}}), ElementsAre(0U));
    EXPECT_TRUE(pareto_front({}).empty());
}

// By the definition, candidate by candidate.
TEST(ParetoFrontTest, HoldsOfRandomCandidates) {
    std::mt19937 random(1);
    std::uniform_int_distribution<int> number(0, 20);
    std::vector<Tradeoff> candidates;
    for (int i = 0; i < 60; ++i) {
        candidates.push_back({1.0 * number(random), 1.0 * number(random)});
    }
    const std::vector<std::size_t> front = pareto_front(candidates);
    const auto beats = [](const Tradeoff& a, const Tradeoff& b) {
        return a.cost <= b.cost && a.loss <= b.loss && (a.cost < b.cost || a.loss < b.loss);
    };
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const bool is_beaten =
            std::any_of(candidates.begin(), candidates.end(),
                        [&](const auto& other) { return beats(other, candidates[i]); });
        const bool has_equal = std::any_of(front.begin(), front.end(), [&](std::size_t each) {
            return candidates[each].cost == candidates[i].cost &&
                   candidates[each].loss == candidates[i].loss;
        });
        EXPECT_EQ(has_equal, !is_beaten) << i;
    }
}

}  // namespace
}  // namespace weir::experiments::statistics
