#include "firmware/kernels/shared_latencies/shared_latencies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "firmware/testing/shared_kernel_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {

namespace {

using firmware::testing::SharedKernelBench;
using weir::testing::Names;

class SharedLatenciesTest : public ::testing::Test {
  protected:
    explicit SharedLatenciesTest(std::int64_t nodes = 8) : bench("shared-latencies", nodes) {
        bench.set_workload("rounds", std::int64_t{2});
    }
    SharedKernelBench bench;
};

TEST_F(SharedLatenciesTest, EveryKindOfAccessIsMeasuredAndRight) {
    ASSERT_EQ(bench.fault_of_run(), "");
    EXPECT_EQ(bench.kernel().progress(), 1.0);
}

class FewNodesTest : public SharedLatenciesTest {
  protected:
    FewNodesTest() : SharedLatenciesTest(6) {}
};

TEST_F(FewNodesTest, TooFewNodesAreRefused) {
    EXPECT_THAT(bench.fault_of_data(), Names("machine.nodes: ", "6", "accepted", "8"));
}

}  // namespace

}  // namespace weir::firmware
