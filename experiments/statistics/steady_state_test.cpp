#include "experiments/statistics/steady_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "experiments/statistics/precision_rule.h"
#include "experiments/statistics/testing/known_processes.h"

namespace weir::experiments::statistics {
namespace {

using testing::covered;
using ::testing::HasSubstr;
using testing::KnownProcess;

constexpr std::size_t kBatchCount = 32;

TEST(SteadyStateTest, TheWarmUpIsInNoBatch) {
    std::vector<double> series(1000, 10.0);
    series[3] = 500.0;
    const SteadyState found = steady_state(series, kBatchCount, true);
    EXPECT_EQ(found.warm_up, 5U);
    EXPECT_EQ(found.mean.value().mean, 10.0);
    EXPECT_EQ(found.doubt(), "");
    const SteadyState whole = steady_state(series, 10, false);
    EXPECT_EQ(whole.warm_up, 0U);
    EXPECT_GT(whole.mean.value().mean, 10.0);
}

TEST(SteadyStateTest, SaysWhyAnIntervalCannotBeBelieved) {
    KnownProcess process(1);
    EXPECT_THAT(steady_state(process.normals(100, 1.0), kBatchCount, false).doubt(),
                HasSubstr("observations"));
    EXPECT_THAT(steady_state(process.autoregressive(1280, 1.0, 0.95), kBatchCount, false).doubt(),
                HasSubstr("batches"));
    std::vector<double> rising(1000);
    for (std::size_t i = 0; i < rising.size(); ++i) {
        rising[i] = static_cast<double>(i);
    }
    EXPECT_THAT(steady_state(rising, kBatchCount, true).doubt(), HasSubstr("state"));
}

// The whole procedure on waiting times of M/M/1 at load 0.5, whose mean is 1. Series are drawn
// again, longer each time, until the interval is reliable and within 5 %. If 95 % of the intervals
// contain the mean, these are 285 of 300. If the data decide when to stop, Law and Kelton (Section
// 9.5.3) call 90 % good. The limit is 270, less three standard deviations of 5.2.
TEST(SteadyStateTest, LongerSeriesUntilTheyArePreciseHoldTheMean) {
    constexpr double kLoad = 0.5;
    constexpr double kWait = kLoad / (1.0 - kLoad);
    constexpr double kPrecision = 0.05;
    const int held = covered(300, [&](KnownProcess& process) {
        std::vector<double> series;
        for (std::int64_t length = 1000;;) {
            series = process.waits(static_cast<std::size_t>(length), kLoad);
            const SteadyState state = steady_state(series, kBatchCount, true);
            std::optional<double> half_width;
            if (state.doubt().empty()) {
                half_width = state.mean->half_width;
                if (is_precise(state.mean->mean, *half_width, kPrecision)) {
                    return std::abs(state.mean->mean - kWait) <= *half_width;
                }
            }
            length =
                next_length(length, state.mean ? state.mean->mean : 0.0, half_width, kPrecision);
        }
    });
    EXPECT_GE(held, 255);
}

}  // namespace
}  // namespace weir::experiments::statistics
