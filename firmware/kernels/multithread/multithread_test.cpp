#include "firmware/kernels/multithread/multithread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

class MultithreadTest : public ::testing::Test {
  protected:
    MultithreadTest() {
        bench_.set_dimensions({2, 2});
        bench_.set_workload("reads", std::int64_t{48});
    }
    void set_threads(std::int64_t threads) {
        bench_.set_workload("threads", threads);
        bench_.set(bench_.configuration.core, "contexts", threads);
    }
    hw::Cycles run() {
        EXPECT_EQ(bench_.fault_of_run(), "");
        return bench_.machine().now();
    }
    firmware::testing::KernelBench bench_{"multithread"};
};

TEST_F(MultithreadTest, OneThreadReadsTheRightElements) {
    static_cast<void>(run());
    EXPECT_EQ(bench_.trace.messages.size(), 4U * 48 * 2);
}

TEST_F(MultithreadTest, FourThreadsShareTheReads) {
    set_threads(4);
    static_cast<void>(run());
    EXPECT_EQ(bench_.trace.messages.size(), 4U * 48 * 2);
    EXPECT_GT(bench_.machine().node(hw::NodeId(3)).core.statistics().context_switches.value(), 48);
}

TEST_F(MultithreadTest, PollingThreadsReadTheRightElements) {
    set_threads(3);
    bench_.set(bench_.configuration.core, "receive_mode", std::string("polling"));
    static_cast<void>(run());
}

TEST_F(MultithreadTest, AWrongSumIsSeen) {
    set_threads(2);
    static_cast<void>(run());
    bench_.flip_bit(2, 64 * 4 + 4);  // sum of node 2's second thread
    EXPECT_THAT(bench_.check().value_or(""), Names("thread 1", "node 2"));
}

TEST_F(MultithreadTest, ReadsThatDoNotDivideAreRefused) {
    bench_.set_workload("reads", std::int64_t{49});
    bench_.set_workload("threads", std::int64_t{2});
    const auto fault = bench_.kernel().parameters().check();
    ASSERT_TRUE(fault.has_value());
    EXPECT_THAT(fault->found, Names("49", "2", "threads"));
}

}  // namespace
}  // namespace weir::firmware
