#include "experiments/statistics/scaling_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace weir::experiments::statistics {
namespace {

// Terms 1, log P, √P and P - 1.
std::vector<double> terms_of(double nodes) {
    return {1.0, std::log2(nodes), std::sqrt(nodes), nodes - 1.0};
}

const std::vector<std::vector<std::size_t>> kSums{{0},    {1},    {2},    {3},    {0, 1},
                                                  {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

ScalingPoint point(double nodes, double value, double relative_variance = 0.0) {
    return {nodes, terms_of(nodes), value, relative_variance};
}

// Points of the law a + b √P, with relative errors of the given deviation.
std::vector<ScalingPoint> points_of(double a, double b, double deviation, std::mt19937& random) {
    std::normal_distribution<double> error(0.0, deviation);
    std::vector<ScalingPoint> points;
    for (const double nodes : {8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0}) {
        points.push_back(point(nodes, (a + b * std::sqrt(nodes)) * (1.0 + error(random))));
    }
    return points;
}

TEST(ScalingFitTest, FindsALawThatIsASumOfTerms) {
    std::vector<ScalingPoint> points;
    for (const double nodes : {4.0, 8.0, 16.0, 32.0, 64.0}) {
        points.push_back(point(nodes, 100.0 + 20.0 * std::log2(nodes)));
    }
    const auto found = predict_scaling(points, point(1024.0, 0.0), kSums);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->sums.front().terms, (std::vector<std::size_t>{0, 1}));
    EXPECT_NEAR(found->sums.front().coefficients[0], 100.0, 1e-6);
    EXPECT_NEAR(found->sums.front().coefficients[1], 20.0, 1e-6);
    EXPECT_NEAR(found->sums.front().value, 300.0, 1e-6);
    EXPECT_NEAR(found->sums.front().last_error, 0.0, 1e-9);
    EXPECT_LT(found->low, 300.0);
    EXPECT_GT(found->high, 300.0);
    double weights = 0.0;
    for (const FittedSum& sum : found->sums) {
        weights += sum.weight;
        for (const double coefficient : sum.coefficients) {
            EXPECT_GE(coefficient, 0.0);
        }
    }
    EXPECT_NEAR(weights, 1.0, 1e-9);
}

// The law's values lie in at least 90 % of the intervals, for laws that one term dominates and laws
// of two terms. An interval without the spread between sums would be narrower than that.
TEST(ScalingFitTest, IntervalsContainTheLaw) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> share(0.0, 1.0);
    constexpr int kDraws = 200;
    int contained = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
        const double a = 1000.0 * share(random);
        const double b = 100.0 * share(random);
        const std::vector<ScalingPoint> points = points_of(a, b, 0.01, random);
        const auto found = predict_scaling(points, point(1024.0, 0.0), kSums);
        ASSERT_TRUE(found);
        const double truth = a + b * 32.0;
        contained += found->low <= truth && truth <= found->high ? 1 : 0;
    }
    EXPECT_GE(contained, 9 * kDraws / 10);
}

// Without the terms' uncertainty, as for a constant, the interval is that of a single run.
TEST(ScalingFitTest, IntervalsContainTheNoiseOfSeeds) {
    std::vector<ScalingPoint> points;
    for (const double nodes : {8.0, 16.0, 32.0, 64.0}) {
        points.push_back(point(nodes, 100.0, 0.01));
    }
    const std::vector<std::vector<std::size_t>> constant{{0}};
    const auto quiet = predict_scaling(points, point(1024.0, 0.0), constant);
    const auto noisy = predict_scaling(points, point(1024.0, 0.0, 0.03), constant);
    EXPECT_NEAR(quiet->value, 100.0, 1e-6);
    EXPECT_GT(noisy->high - noisy->low, 2.0 * (quiet->high - quiet->low));
}

// Runs of a point differ by a term that is known of each run, such as the load of the busiest node.
// The interval of a sum with this term does not contain their spread.
TEST(ScalingFitTest, VarianceThatATermExplainsIsNotInTheInterval) {
    std::vector<ScalingPoint> points;
    for (const double nodes : {8.0, 16.0, 32.0, 64.0, 128.0}) {
        std::vector<ScalingRun> runs;
        for (const double load : {9.0, 10.0, 11.0}) {
            runs.push_back({{1.0, load}, 10.0 * load});
        }
        points.push_back(mean_point(nodes, runs));
        EXPECT_DOUBLE_EQ(points.back().value, 100.0);
        EXPECT_DOUBLE_EQ(points.back().terms[1], 10.0);
    }
    const ScalingPoint target{1024.0, {1.0, 12.0}, 0.0, 0.0, {}};
    const std::vector<std::vector<std::size_t>> load{{1}};
    const std::vector<std::vector<std::size_t>> constant{{0}};
    const auto by_load = predict_scaling(points, target, load);
    const auto by_constant = predict_scaling(points, target, constant);
    EXPECT_NEAR(by_load->value, 120.0, 1e-6);
    EXPECT_GT(by_constant->high - by_constant->low, 3.0 * (by_load->high - by_load->low));
}

// A time without the sum's missing term, which fades as 1 / P, is nearly known from large machines.
TEST(ScalingFitTest, ErrorsThatFadeFastNarrowTheInterval) {
    std::vector<ScalingPoint> points;
    for (const double nodes : {4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0}) {
        points.push_back(point(nodes, 100.0 * (1.0 + 0.8 / nodes)));
    }
    const std::vector<std::vector<std::size_t>> constant{{0}};
    const auto found = predict_scaling(points, point(128.0, 0.0), constant);
    EXPECT_NEAR(found->value, 102.5, 2.0);
    EXPECT_LT(found->high - found->low, 12.0);
    EXPECT_EQ(found->sums.size(), 1U);
    EXPECT_NEAR(found->sums.front().weight, 1.0, 1e-9);
}

// A knee that lies beyond the points is in no interval; one among the points is noticed.
TEST(ScalingFitTest, AKneeAmongThePointsIsNoticed) {
    std::vector<ScalingPoint> points;
    for (const double nodes : {8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0}) {
        points.push_back(point(nodes, std::max(500.0, 12.0 * nodes)));
    }
    ScalingPoint last = points.back();
    const auto found = predict_scaling(std::span(points).first(5), last, kSums);
    EXPECT_TRUE(last.value > found->high) << found->high;
}

TEST(ScalingFitTest, FallingValuesNeedFallingTerms) {
    std::vector<ScalingPoint> points;
    for (const double nodes : {4.0, 8.0, 16.0, 32.0}) {
        points.push_back({nodes, {nodes, nodes * nodes}, 1e6 / nodes, 0.0});
    }
    const std::vector<std::vector<std::size_t>> pair{{0, 1}};
    EXPECT_FALSE(predict_scaling(points, {64.0, {64.0, 4096.0}, 0.0, 0.0}, pair));
}

}  // namespace
}  // namespace weir::experiments::statistics
