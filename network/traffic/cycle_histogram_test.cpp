#include "network/traffic/cycle_histogram.h"

#include <gtest/gtest.h>

namespace weir::network {
namespace {

TEST(CycleHistogramTest, PercentilesOfOneToAHundredAreTheNumbersThemselves) {
    CycleHistogram histogram;
    for (std::int64_t cycles = 100; cycles >= 1; --cycles) {
        histogram.add(cycles);
    }
    EXPECT_EQ(histogram.percentile(50), 50);
    EXPECT_EQ(histogram.percentile(95), 95);
    EXPECT_EQ(histogram.percentile(99), 99);
    EXPECT_EQ(histogram.percentile(99.5), 100);
    EXPECT_EQ(histogram.percentile(100), 100);
    EXPECT_EQ(histogram.largest(), 100);
    EXPECT_DOUBLE_EQ(histogram.mean(), 50.5);
}

TEST(CycleHistogramTest, APercentileIsTheLeastThatSoManyDoNotExceed) {
    CycleHistogram histogram;
    for (const std::int64_t cycles : {10, 10, 10, 1'000'000}) {
        histogram.add(cycles);
    }
    EXPECT_EQ(histogram.percentile(50), 10);
    EXPECT_EQ(histogram.percentile(75), 10);
    EXPECT_EQ(histogram.percentile(76), 1'000'000);
    EXPECT_EQ(histogram.least(), 10);
    EXPECT_EQ(histogram.count(), 4);
    EXPECT_EQ(histogram.sum(), 1'000'030);
}

TEST(CycleHistogramTest, OfOneValueAllAreThatValue) {
    CycleHistogram histogram;
    histogram.add(7);
    for (const double percent : {0.1, 50.0, 99.0, 100.0}) {
        EXPECT_EQ(histogram.percentile(percent), 7);
    }
}

}  // namespace
}  // namespace weir::network
