#include "firmware/kernels/shared_latencies/shared_latencies.h"

#include <gtest/gtest.h>

#include "experiments/testing/machine_bench.h"

namespace weir::firmware {

namespace {

using experiments::testing::KernelBench;

class SharedLatenciesTest : public ::testing::Test {
  protected:
    explicit SharedLatenciesTest(std::int64_t nodes = 8) {
        bench.set_dimensions({nodes / 2, 2});
        bench.set(bench.configuration.machine, "nodes", nodes);
        bench.set(bench.configuration.memory, "caches", std::int64_t{1});
        bench.set(bench.configuration.coherence, "check_loads", true);
        bench.set_workload("rounds", std::int64_t{2});
    }
    KernelBench bench{"shared-latencies"};
};

TEST_F(SharedLatenciesTest, EveryKindOfAccessIsMeasuredAndRight) {
    bench.load();
    ASSERT_EQ(bench.run(), nodes::RunEnd::kFinished);
    EXPECT_EQ(bench.check(), std::nullopt);
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
