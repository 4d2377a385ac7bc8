#include "firmware/kernels/token_ring/token_ring.h"

#include <gtest/gtest.h>

#include "firmware/testing/machine_bench.h"

namespace weir::firmware {
namespace {

TEST(TokenRingTest, TheTokenHasTheSumOfAllNodesWords) {
    testing::KernelBench bench("token-ring");
    bench.set_dimensions({4});
    EXPECT_EQ(bench.fault_of_run(), "");
}

TEST(TokenRingTest, AWrongSumIsFound) {
    testing::KernelBench bench("token-ring");
    bench.set_dimensions({4});
    ASSERT_EQ(bench.fault_of_run(), "");
    bench.flip_bit(0, 4);
    EXPECT_TRUE(bench.check().has_value());
}

}  // namespace
}  // namespace weir::firmware
