#include "firmware/kernels/relay/relay.h"

#include <gtest/gtest.h>

#include "firmware/testing/machine_bench.h"

namespace weir::firmware {
namespace {

TEST(RelayTest, TheTokenHasTheSumOfAllNodesWords) {
    testing::KernelBench bench("relay");
    bench.set_dimensions({4});
    EXPECT_EQ(bench.fault_of_run(), "");
}

TEST(RelayTest, AWrongSumIsFound) {
    testing::KernelBench bench("relay");
    bench.set_dimensions({4});
    ASSERT_EQ(bench.fault_of_run(), "");
    bench.flip_bit(0, 4);
    EXPECT_TRUE(bench.check().has_value());
}

}  // namespace
}  // namespace weir::firmware
