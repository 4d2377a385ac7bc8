#include "experiments/statistics/undisturbed.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/statistics/line_fit.h"
#include "experiments/statistics/testing/known_processes.h"

namespace weir::experiments::statistics {
namespace {

constexpr int kSeries = 400;

TEST(UndisturbedTest, RareLeastDurationsOfAClockWithoutNoiseAreTheOnlyOnesKept) {
    std::vector<double> values(20, 66.0);
    values.resize(40, 99.0);
    values.resize(180, 135.0);
    EXPECT_EQ(undisturbed(values), std::vector<double>(20, 66.0));
    values.resize(2000, 207.0);  // now a hundredth of the durations has no wait
    EXPECT_EQ(undisturbed(values), std::vector<double>(20, 66.0));
    EXPECT_EQ(undisturbed({7.0}), std::vector<double>{7.0});
    EXPECT_TRUE(undisturbed({}).empty());
}

// A third of the durations have waits of 50 units in the mean; the mean of all would be wrong
// by 17.
TEST(UndisturbedTest, IntervalsContainTheDurationWithoutItsWaits) {
    int contained = 0;
    for (int series = 0; series < kSeries; ++series) {
        testing::KnownProcess process(static_cast<std::uint64_t>(series + 1));
        std::vector<double> values = process.normals(90, 100.0);
        for (std::size_t i = 0; i < values.size(); i += 3) {
            values[i] += 2.0 + process.exponential(50.0);
        }
        const MeanOfDurations fitted = undisturbed_mean(values);
        contained += std::abs(fitted.mean - 100.0) <= fitted.half_width ? 1 : 0;
        EXPECT_LE(fitted.half_width, 5.0);
    }
    EXPECT_GE(contained, kSeries * 9 / 10);
}

TEST(UndisturbedTest, ShortWaitsThatRemainAreInTheInterval) {
    std::vector<double> values(5, 100.0);
    values.resize(100, 101.0);
    const MeanOfDurations fitted = undisturbed_mean(values);
    EXPECT_GE(fitted.mean, 100.0);
    EXPECT_LE(fitted.mean - fitted.half_width, 100.0);
}

TEST(DensestTest, IsNotTheLeastDuration) {
    std::vector<double> values{495.0, 497.0, 498.0};
    values.resize(40, 500.0);
    for (int i = 0; i < 20; ++i) {
        values.push_back(520.0 + 7.0 * i);
    }
    const MeanOfDurations fitted = densest_duration(values);
    EXPECT_EQ(fitted.mean, 500.0);
    EXPECT_NEAR(fitted.half_width, std::hypot(1.0, 5.0), 1e-9);
    EXPECT_EQ(densest_duration({3.0}).mean, 3.0);
}

TEST(MeanOfDurationsTest, EqualValuesHaveTheIntervalOfTheirClock) {
    const std::vector<double> values(24, 15.0);
    const MeanOfDurations mean = mean_of_durations(values);
    EXPECT_EQ(mean.mean, 15.0);
    // t with 23 degrees of freedom is 2.069; two roundings have a variance of a sixth.
    EXPECT_NEAR(mean.half_width, 2.069 * std::sqrt(1.0 / 6.0 / 24.0), 1e-3);
    const std::vector<double> one{15.0};
    EXPECT_NEAR(mean_of_durations(one).half_width, 1.96 * std::sqrt(1.0 / 6.0), 1e-3);
}

// An exponential duration has a squared coefficient of variation of 1.
TEST(SquaredVariationTest, IntervalsContainThatOfExponentialDurations) {
    int contained = 0;
    for (int series = 0; series < kSeries; ++series) {
        testing::KnownProcess process(static_cast<std::uint64_t>(series + 1));
        std::vector<double> values(2000);
        std::generate(values.begin(), values.end(), [&] { return process.exponential(30.0); });
        const MeanOfDurations fitted = squared_variation(values);
        contained += std::abs(fitted.mean - 1.0) <= fitted.half_width ? 1 : 0;
    }
    EXPECT_GE(contained, kSeries * 9 / 10);
    const std::vector<double> equal(10, 5.0);
    EXPECT_EQ(squared_variation(equal).mean, 0.0);
}

TEST(PopulationTest, TheWholePopulationHasAnExactMean) {
    const std::vector<double> values{1.0, 2.0, 3.0, 6.0};
    EXPECT_EQ(mean_of_population(values, 4.0).mean, 3.0);
    EXPECT_EQ(mean_of_population(values, 4.0).half_width, 0.0);
    EXPECT_GT(mean_of_population(values, 100.0).half_width, 1.0);
}

TEST(LineFitTest, ByHand) {
    // Equal weights: slope 2 and intercept 1, with misses of 1, -2 and 1 from the line.
    const std::vector<LinePoint> points{{0.0, 2.0, 1.0}, {1.0, 1.0, 1.0}, {2.0, 6.0, 1.0}};
    const LineFit line = line_fit(points).value();
    EXPECT_NEAR(line.slope, 2.0, 1e-12);
    EXPECT_NEAR(line.at_zero, 1.0, 1e-12);
    // The misses have 6 times the variance of the points; t with one degree of freedom is 12.706.
    EXPECT_NEAR(line.slope_half_width, 12.706 * std::sqrt(6.0 / 2.0), 0.01);
    // Points on a line have the interval of their variances.
    const std::vector<LinePoint> nearer{{0.0, 1.0, 1.0}, {1.0, 1.5, 1.0}, {2.0, 2.0, 1.0}};
    EXPECT_NEAR(line_fit(nearer)->slope_half_width, 1.96 / std::sqrt(2.0), 0.001);
    // Misses below the deviations of one degree of freedom do not prove that these hold.
    const std::vector<LinePoint> between{{0.0, 0.2, 1.0}, {1.0, -0.4, 1.0}, {2.0, 0.2, 1.0}};
    EXPECT_NEAR(line_fit(between)->slope_half_width, 12.706 * std::sqrt(0.24 / 2.0), 0.001);
    const std::vector<LinePoint> upright{{1.0, 2.0, 1.0}, {1.0, 1.0, 1.0}};
    EXPECT_FALSE(line_fit(upright).has_value());
}

}  // namespace
}  // namespace weir::experiments::statistics
