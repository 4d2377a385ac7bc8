#include "firmware/kernels/em3d/em3d.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

using ::testing::HasSubstr;

class Em3dTest : public ::testing::Test {
  protected:
    Em3dTest() {
        bench_.set_dimensions({4, 2});
        bench_.set_workload("graph_nodes", std::int64_t{64});
        bench_.set_workload("degree", std::int64_t{6});
        bench_.set_workload("span", std::int64_t{2});
        bench_.set_workload("iterations", std::int64_t{3});
    }
    void run() { ASSERT_EQ(bench_.fault_of_run(), ""); }
    firmware::testing::KernelBench bench_{"em3d"};
};

TEST_F(Em3dTest, ValuesAreThoseOfTheSequentialComputation) { run(); }

TEST_F(Em3dTest, SoTheyAreInRandomOrder) {
    bench_.set_workload("order", std::string("random"));
    run();
}

TEST_F(Em3dTest, SoTheyAreStaggered) {
    bench_.set_workload("order", std::string("staggered"));
    run();
}

TEST_F(Em3dTest, SoTheyAreByPolling) {
    bench_.set(bench_.configuration.core, "receive_mode", std::string("polling"));
    run();
}

// Enough blocks to fill every queue: polling nodes must take messages while they send.
TEST_F(Em3dTest, PollingNodesNeedNoOverflowTrap) {
    bench_.set(bench_.configuration.core, "receive_mode", std::string("polling"));
    bench_.set_workload("graph_nodes", std::int64_t{320});
    bench_.set_workload("degree", std::int64_t{20});
    bench_.set_workload("iterations", std::int64_t{1});
    run();
}

TEST_F(Em3dTest, LaunchesThatWaitInsteadOfPollingDeadlock) {
    bench_.set(bench_.configuration.core, "receive_mode", std::string("polling"));
    bench_.set(bench_.firmware_parameters, "poll_to_send", false);
    bench_.set_workload("graph_nodes", std::int64_t{320});
    bench_.set_workload("degree", std::int64_t{20});
    bench_.set_workload("iterations", std::int64_t{1});
    bench_.load();
    EXPECT_EQ(bench_.run(), nodes::RunEnd::kDeadlock);
}

TEST_F(Em3dTest, EdgesMayStay) {
    bench_.set_workload("local_percent", std::int64_t{100});
    run();
    for (const auto& [id, message] : bench_.trace.messages) {
        // Only the barriers' messages, which have at most five words.
        EXPECT_LE(message.word_count, 5);
    }
}

// An iteration computes 64 values of E and H with degree 6; each block has one pair of processors.
TEST_F(Em3dTest, AValueIsSentForEachEdgeToNeighboursWithinTheSpan) {
    bench_.set_workload("block_values", std::int64_t{1});
    run();
    std::int64_t values = 0;
    std::set<std::int32_t> steps;
    for (const auto& [id, message] : bench_.trace.messages) {
        if (message.word_count == 4) {  // two words of the message layer, an index and a value
            ++values;
            steps.insert((message.destination.index() - message.source.index() + 8) % 8);
        }
    }
    EXPECT_EQ(values, 3 * 64 * 6);
    EXPECT_EQ(steps, (std::set<std::int32_t>{1, 2, 6, 7}));
}

TEST_F(Em3dTest, AWrongValueIsSeen) {
    run();
    bench_.flip_bit(0, 4);  // node 0's E values are first in its memory
    EXPECT_THAT(bench_.check().value_or(""), Names("E[1]", "node 0"));
}

TEST_F(Em3dTest, NodesThatDoNotDivideAreRefused) {
    bench_.set_workload("graph_nodes", std::int64_t{72});
    EXPECT_THAT(bench_.fault_of_data(), Names("72", "8"));
}

TEST_F(Em3dTest, ASpanRoundTheMachineIsRefused) {
    bench_.set_workload("span", std::int64_t{4});
    EXPECT_THAT(bench_.fault_of_data(), HasSubstr("workload.span: found 4 on 8 processors"));
}

}  // namespace
}  // namespace weir::firmware
