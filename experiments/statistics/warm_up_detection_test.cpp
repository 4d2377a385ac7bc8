#include <gtest/gtest.h>

#include <cmath>

#include "experiments/statistics/steady_state.h"
#include "experiments/statistics/testing/known_processes.h"

namespace weir::experiments::statistics {
namespace {

using testing::covered;
using testing::KnownProcess;

double mean_from(const std::vector<double>& series, std::size_t first) {
    double sum = 0.0;
    for (std::size_t i = first; i < series.size(); ++i) {
        sum += series[i];
    }
    return sum / static_cast<double>(series.size() - first);
}

TEST(WarmUpDetectionTest, AStepIsCutAwayToTheGroup) {
    std::vector<double> series(200, 10.0);
    for (std::size_t i = 0; i < 25; ++i) {
        series[i] = 50.0;
    }
    EXPECT_EQ(warm_up_observations(series), 25U);
    series[25] = 50.0;  // an outlier in the next group of five
    EXPECT_EQ(warm_up_observations(series), 30U);
}

TEST(WarmUpDetectionTest, OfAConstantNothingIsCutAway) {
    EXPECT_EQ(warm_up_observations(std::vector<double>(100, 3.0)), 0U);
}

TEST(WarmUpDetectionTest, WhatIsStillComingDownInTheSecondHalfHasNoSteadyState) {
    std::vector<double> series(1000);
    for (std::size_t i = 0; i < series.size(); ++i) {
        series[i] = 1000.0 - static_cast<double>(i);
    }
    EXPECT_EQ(warm_up_observations(series), std::nullopt);
    EXPECT_EQ(warm_up_observations(std::vector<double>{}), std::nullopt);
}

// An excess of 20 that decays in 100 of 4,000 values adds 0.5 to the mean of all, whose standard
// deviation is 0.016. After the cut, the remaining bias must be within the noise.
TEST(WarmUpDetectionTest, ADecayingStartIsFoundAndItsBiasRemoved) {
    constexpr double kLevel = 10.0;
    double bias_of_all = 0.0;
    double bias_behind = 0.0;
    constexpr int kSeeds = 200;
    const int found = covered(kSeeds, [&](KnownProcess& process) {
        const std::vector<double> series = process.decaying(4000, kLevel, 20.0, 100.0);
        bias_of_all += mean_from(series, 0) - kLevel;
        const std::size_t cut = warm_up_observations(series).value();
        bias_behind += mean_from(series, cut) - kLevel;
        // After 250 values the excess is 1.6 and matters; after 1,200 it is 0.0001.
        return cut >= 250 && cut <= 1200;
    });
    EXPECT_GE(found, kSeeds * 95 / 100);
    EXPECT_GT(bias_of_all / kSeeds, 0.45);
    EXPECT_LT(std::abs(bias_behind / kSeeds), 0.02);
}

}  // namespace
}  // namespace weir::experiments::statistics
