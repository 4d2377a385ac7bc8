#include "experiments/statistics/pareto_front.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace weir::experiments::statistics {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Candidates with one seed each, whose losses have no intervals.
std::vector<Tradeoff> of_one_seed(const std::vector<std::pair<double, double>>& costs_and_losses) {
    std::vector<Tradeoff> candidates;
    for (const auto& [cost, loss] : costs_and_losses) {
        candidates.push_back({cost, {{1, loss}}});
    }
    return candidates;
}

Tradeoff candidate(double cost, const std::vector<double>& losses) {
    Tradeoff made{cost, {}};
    for (const double loss : losses) {
        made.losses.emplace(made.losses.size() + 1, loss);
    }
    return made;
}

std::vector<std::size_t> indices(const std::vector<FrontMember>& front) {
    std::vector<std::size_t> all;
    for (const FrontMember& member : front) {
        all.push_back(member.candidate);
    }
    return all;
}

TEST(ParetoFrontTest, IsWhatNoneBeats) {
    EXPECT_THAT(
        indices(pareto_front(of_one_seed({{4, 10}, {1, 50}, {2, 20}, {3, 30}, {2, 25}, {8, 10}}))),
        ElementsAre(1U, 2U, 0U));
    EXPECT_THAT(indices(pareto_front(of_one_seed({{1, 5}, {1, 5}}))), ElementsAre(0U));
    EXPECT_TRUE(pareto_front({}).empty());
}

// The second candidate's losses less the first's, pair by pair: -1, 1 and -1. Their mean is -1/3,
// its half width 4.302653 * 1.154701 / sqrt(3) = 2.868. The third candidate's loss is 10 below the
// first's with each seed.
TEST(ParetoFrontTest, WhatSeedsDoNotTellIsEqualAndNoStep) {
    const std::vector<Tradeoff> candidates{
        candidate(1, {100, 102, 104}), candidate(2, {99, 103, 103}), candidate(3, {90, 92, 94})};
    const LossDifference second = loss_difference(candidates[1], candidates[0]);
    EXPECT_NEAR(second.mean, -1.0 / 3.0, 1e-12);
    EXPECT_NEAR(second.half_width, 2.868435, 1e-5);
    const std::vector<FrontMember> front = pareto_front(candidates);
    ASSERT_THAT(indices(front), ElementsAre(0U, 1U, 2U));
    EXPECT_TRUE(front[0].is_step);
    EXPECT_THAT(front[0].equal, ElementsAre(1U));
    EXPECT_FALSE(front[1].is_step);
    EXPECT_THAT(front[1].equal, ElementsAre(0U));
    EXPECT_TRUE(front[2].is_step);
    EXPECT_THAT(front[2].equal, IsEmpty());
}

// The second candidate has the lower mean, but with the common seeds it is 1 worse.
TEST(ParetoFrontTest, SeedsAreComparedPairByPair) {
    const std::vector<Tradeoff> candidates{{1, {{1, 10.0}, {2, 20.0}, {3, 90.0}}},
                                           {2, {{1, 11.0}, {2, 21.0}}}};
    EXPECT_THAT(indices(pareto_front(candidates)), ElementsAre(0U));
}

// Losses 10 and 12 against 20, 30 and 40 with other seeds: Welch's interval of 19 contains 0.
TEST(ParetoFrontTest, WithoutCommonSeedsMeansAreCompared) {
    const Tradeoff cheap{1, {{1, 20.0}, {2, 30.0}, {3, 40.0}}};
    const Tradeoff dear{2, {{4, 10.0}, {5, 12.0}}};
    const LossDifference apart = loss_difference(dear, cheap);
    EXPECT_EQ(apart.mean, -19.0);
    EXPECT_GT(apart.half_width, 19.0);
    const std::vector<FrontMember> front = pareto_front({cheap, dear});
    ASSERT_EQ(front.size(), 2U);
    EXPECT_FALSE(front[1].is_step);
}

// Two candidates of equal cost. The first candidate has the lower mean because of a seed that only
// it has. Over the common seeds the second candidate is better.
TEST(ParetoFrontTest, AmongEqualCostsTheOneThatCommonSeedsTellIsBetterStays) {
    const std::vector<Tradeoff> candidates{{1, {{1, 10.0}, {2, 20.0}, {3, -90.0}}},
                                           {1, {{1, 9.0}, {2, 19.0}}}};
    EXPECT_THAT(indices(pareto_front(candidates)), ElementsAre(1U));
}

// Checks the definition of the front for random candidates.
TEST(ParetoFrontTest, HoldsOfRandomCandidates) {
    std::mt19937 random(1);
    std::uniform_int_distribution<int> number(0, 20);
    std::vector<Tradeoff> candidates;
    for (int i = 0; i < 60; ++i) {
        const double loss = number(random);
        candidates.push_back(
            candidate(number(random), {loss + number(random), loss + number(random), loss}));
    }
    const std::vector<FrontMember> front = pareto_front(candidates);
    double last = INFINITY;
    for (const FrontMember& member : front) {
        const Tradeoff& one = candidates[member.candidate];
        for (const Tradeoff& other : candidates) {
            EXPECT_FALSE(other.cost <= one.cost && loss_difference(one, other).is_told_more());
        }
        for (const std::size_t other : member.equal) {
            EXPECT_TRUE(loss_difference(one, candidates[other]).is_untold());
        }
        if (member.is_step) {
            const auto& losses = one.losses;
            const double mean = (losses.at(1) + losses.at(2) + losses.at(3)) / 3.0;
            EXPECT_LT(mean, last) << "a step goes down";
            last = mean;
        }
    }
}

}  // namespace
}  // namespace weir::experiments::statistics
