#include "firmware/constant_work.h"

#include <gtest/gtest.h>

namespace weir::firmware {
namespace {

std::int64_t sum_of(double mean_cycles, int works) {
    ConstantWork work(mean_cycles);
    std::int64_t sum = 0;
    for (int i = 0; i < works; ++i) {
        const std::int64_t cycles = work.next().count();
        EXPECT_GE(static_cast<double>(cycles), mean_cycles - 1.0) << i;
        EXPECT_LE(static_cast<double>(cycles), mean_cycles + 1.0) << i;
        sum += cycles;
    }
    return sum;
}

TEST(ConstantWorkTest, ManyTakeTheirMeanWhateverItsFraction) {
    EXPECT_EQ(sum_of(59.0, 1000), 59'000);
    EXPECT_EQ(sum_of(59.5, 1000), 59'500);
    EXPECT_EQ(sum_of(0.3, 1000), 300);
    EXPECT_EQ(sum_of(67.429, 1000), 67'429);
    EXPECT_EQ(sum_of(0.0, 1000), 0);
}

}  // namespace
}  // namespace weir::firmware
