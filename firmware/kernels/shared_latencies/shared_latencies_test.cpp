#include "firmware/kernels/shared_latencies/shared_latencies.h"

#include <gtest/gtest.h>

#include "firmware/testing/shared_kernel_bench.h"

namespace weir::firmware {

namespace {

using firmware::testing::SharedKernelBench;

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
    EXPECT_EQ(bench.fault_of_data(),
              "machine.nodes: found 6; accepted: at least 8: the home, its neighbour and six with "
              "copies");
}

}  // namespace

}  // namespace weir::firmware
