#include "firmware/kernels/fft/fft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

class FftKernelTest : public ::testing::Test {
  protected:
    FftKernelTest() {
        bench_.set_dimensions({2, 2});
        bench_.set_workload("points", std::int64_t{64});
    }
    void run() { ASSERT_EQ(bench_.fault_of_run(), ""); }
    firmware::testing::KernelBench bench_{"fft"};
};

// 16 points a node, 4 for each other node; 32 butterflies of 150 cycles in each of 6 stages.
TEST_F(FftKernelTest, TheHybridLayoutRemapsOnce) {
    run();
    EXPECT_EQ(bench_.trace.messages.size(), 4U * 12);
    EXPECT_EQ(bench_.machine().node(hw::NodeId(1)).core.statistics().compute_cycles.value(),
              6 * 8 * 150 + 12 * (6 + 19) + 4 * (6 + 19 + 8));
}

TEST_F(FftKernelTest, TheNaiveOrderGivesTheSame) {
    bench_.set_workload("order", std::string("naive"));
    run();
}

TEST_F(FftKernelTest, NodesMeetAfterEachDestination) {
    bench_.set_workload("barrier", true);
    bench_.set(bench_.configuration.network, "barrier", true);
    run();
}

// The release comes during a handler, after which the load is repeated in vain.
TEST_F(FftKernelTest, NodesMeetWhereAccessesCostNothing) {
    bench_.set_dimensions({16});
    bench_.set_workload("points", std::int64_t{256});
    bench_.set_workload("barrier", true);
    bench_.set(bench_.configuration.network, "model", std::string("logp"));
    bench_.set(bench_.configuration.network, "barrier", true);
    for (const char* cost :
         {"store_cycles", "load_cycles", "consecutive_load_cycles", "notify_cycles"}) {
        bench_.set(bench_.configuration.controller, cost, std::int64_t{0});
    }
    run();
}

TEST_F(FftKernelTest, PollingNodesGetTheSame) {
    bench_.set(bench_.configuration.core, "receive_mode", std::string("polling"));
    run();
}

// Two of six stages are remote and send all points.
TEST_F(FftKernelTest, TheCyclicLayoutSendsInItsLastStages) {
    bench_.set_workload("layout", std::string("cyclic"));
    run();
    EXPECT_EQ(bench_.trace.messages.size(), 2U * 64);
}

TEST_F(FftKernelTest, TheBlockedLayoutSendsInItsFirstStages) {
    bench_.set_workload("layout", std::string("blocked"));
    run();
    EXPECT_EQ(bench_.trace.messages.size(), 2U * 64);
}

TEST_F(FftKernelTest, AWrongPointIsSeen) {
    run();
    // A high bit of the mantissa of a point's real part.
    bench_.flip_bit(2, 16 * 16 + 3 * 16 + 6, 3);
    EXPECT_THAT(bench_.check().value_or(""), Names("point", "transform", "recursive"));
}

TEST_F(FftKernelTest, SizesThatDoNotFitAreRefused) {
    bench_.set_workload("points", std::int64_t{8});
    EXPECT_THAT(bench_.fault_of_data(), Names("8", "4", "nodes", "16"));
    bench_.set_workload("points", std::int64_t{96});
    const auto fault = bench_.kernel().parameters().check();
    ASSERT_TRUE(fault.has_value());
    EXPECT_THAT(hw::text_of(*fault), Names("96", "power", "two"));
}

// Two nodes that share a butterfly compute half of it each, in whole cycles.
TEST_F(FftKernelTest, AButterflyHasTwoHalves) {
    bench_.set_workload("butterfly_cycles", std::int64_t{59});
    const auto fault = bench_.kernel().parameters().check();
    ASSERT_TRUE(fault.has_value());
    EXPECT_EQ(fault->key, "butterfly_cycles");
    bench_.set_workload("butterfly_cycles", std::int64_t{60});
    EXPECT_FALSE(bench_.kernel().parameters().check().has_value());
}

TEST_F(FftKernelTest, ThreeNodesAreRefused) {
    bench_.set_dimensions({3});
    EXPECT_THAT(bench_.fault_of_data(), Names("64", "3", "nodes"));
}

}  // namespace
}  // namespace weir::firmware
