#include "experiments/statistics/precision_rule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/statistics/testing/known_processes.h"

namespace weir::experiments::statistics {
namespace {

using testing::covered;
using testing::KnownProcess;

TEST(PrecisionRuleTest, AHalfWidthAtTheLimitIsPrecise) {
    EXPECT_TRUE(is_precise(100.0, 1.0, 0.01));
    EXPECT_FALSE(is_precise(100.0, 1.001, 0.01));
    EXPECT_TRUE(is_precise(-100.0, 1.0, 0.01));
    EXPECT_TRUE(is_precise(0.0, 0.0, 0.01));
}

TEST(PrecisionRuleTest, LengthsGoWithTheSquareOfTheHalfWidth) {
    // The length grows by a factor of 2^2, and a tenth more.
    EXPECT_EQ(next_length(400, 100.0, 2.0, 0.01), 1760);
    EXPECT_EQ(next_length(400, 100.0, 1.01, 0.01), 600);   // the length grows at least 1.5 times
    EXPECT_EQ(next_length(400, 100.0, 50.0, 0.01), 4000);  // the length grows at most 10 times
    EXPECT_EQ(next_length(400, 100.0, std::nullopt, 0.01), 800);
    EXPECT_EQ(next_length(400, 0.0, 1.0, 0.01), 4000);
    EXPECT_EQ(next_length(1, 100.0, 1.01, 0.01), 2);
}

TEST(PrecisionRuleTest, ReplicationsAreAsManyAsTheVarianceAsksFor) {
    EXPECT_EQ(replications_wanted({{1, 1}}, 0.01), 5);
    EXPECT_EQ(replications_wanted({{1, 1, 1, 1, 1}}, 0.01), 5);
    // The half width 1.963243 is 0.654 of the mean 3. A precision of 0.6 needs 5 * 1.19 values; a
    // precision of 0.1 needs more than twice 5, which is the limit.
    EXPECT_EQ(replications_wanted({{1, 2, 3, 4, 5}}, 0.66), 5);
    EXPECT_EQ(replications_wanted({{1, 2, 3, 4, 5}}, 0.6), 6);
    EXPECT_EQ(replications_wanted({{1, 2, 3, 4, 5}}, 0.1), 10);
}

// Normal numbers with mean 10 and variance 1; half widths of 1 % need about (1.96 / 0.1)^2 = 384.
// If the number of values depends on them, intervals hold a little less often than 95 %. Law and
// Kelton, Section 9.4.1, found 90 % and more.
TEST(PrecisionRuleTest, ReplicationsUntilTheyArePreciseHoldTheMean) {
    double sum = 0.0;
    constexpr int kSeeds = 500;
    const int held = covered(kSeeds, [&sum](KnownProcess& process) {
        Sample sample;
        while (static_cast<std::int64_t>(sample.values.size()) <
               replications_wanted(sample, 0.01)) {
            sample.values.push_back(10.0 + process.normal());
        }
        sum += static_cast<double>(sample.values.size());
        return std::abs(sample.mean() - 10.0) <= *sample.half_width();
    });
    EXPECT_GE(held, kSeeds * 90 / 100);
    EXPECT_NEAR(sum / kSeeds, 384.0, 40.0);
}

}  // namespace
}  // namespace weir::experiments::statistics
