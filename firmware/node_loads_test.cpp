#include "firmware/node_loads.h"

#include <gtest/gtest.h>

#include <cmath>

#include "firmware/testing/machine_bench.h"

namespace weir::firmware {
namespace {

struct Program {
    const char* kernel;
    std::vector<std::pair<const char*, hw::ParameterValue>> workload;
};

const std::vector<Program> kPrograms{
    {"all-pairs", {{"rounds", std::int64_t{3}}}},
    {"boundary-exchange", {{"block", std::int64_t{4}}}},
    {"boundary-exchange", {{"block", std::int64_t{4}}, {"directions", std::string("rows")}}},
    {"fft", {{"points", std::int64_t{64}}}},
    {"fft", {{"points", std::int64_t{64}}, {"layout", std::string("cyclic")}}},
    {"remap", {{"iterations", std::int64_t{20}}}},
    {"remap", {{"iterations", std::int64_t{20}}, {"style", std::string("asynchronous")}}},
    {"spmv", {{"rows", std::int64_t{50}}, {"nonzeros", std::int64_t{300}}}},
};

// Runs the program, and counts the messages that each node sends and receives.
NodeLoads counted(testing::KernelBench& bench) {
    EXPECT_EQ(bench.fault_of_run(), "");
    std::vector<NodeLoad> nodes(static_cast<std::size_t>(bench.machine().node_count()));
    for (const auto& [id, message] : bench.trace.messages) {
        nodes.at(static_cast<std::size_t>(message.source.index())).messages += 1.0;
        nodes.at(static_cast<std::size_t>(message.destination.index())).messages += 1.0;
    }
    return node_loads_of(nodes);
}

class NodeLoadsOfTest : public ::testing::TestWithParam<Program> {};

TEST_P(NodeLoadsOfTest, AreThoseOfTheRun) {
    testing::KernelBench bench(GetParam().kernel);
    bench.set_dimensions({4, 2});
    for (const auto& [name, value] : GetParam().workload) {
        bench.set_workload(name, value);
    }
    const NodeLoads run = counted(bench);
    const auto loads = bench.kernel().node_loads(bench.machine().shape(), 1);
    ASSERT_TRUE(loads);
    EXPECT_DOUBLE_EQ(loads->mean.messages, run.mean.messages);
    EXPECT_DOUBLE_EQ(loads->most.messages, run.most.messages);
}

INSTANTIATE_TEST_SUITE_P(Programs, NodeLoadsOfTest, ::testing::ValuesIn(kPrograms));

// The loads of em3d leave out the messages of barriers: one before the first iteration, and two in
// each. A barrier of a tree has two messages for each node but the root.
TEST(NodeLoadsTest, BarriersAreLeftOut) {
    testing::KernelBench bench("em3d");
    bench.set_dimensions({4, 2});
    bench.set_workload("graph_nodes", std::int64_t{160});
    bench.set_workload("span", std::int64_t{2});
    bench.set_workload("iterations", std::int64_t{3});
    const NodeLoads run = counted(bench);
    const auto loads = bench.kernel().node_loads(bench.machine().shape(), 1);
    ASSERT_TRUE(loads);
    constexpr double kBarriers = 7.0;
    EXPECT_NEAR(run.mean.messages - loads->mean.messages, kBarriers * 2.0 * 2.0 * 7.0 / 8.0, 1e-9);
    EXPECT_GT(loads->most.messages, loads->mean.messages);
}

TEST(NodeLoadsTest, OperationsAreTheKernelsOwn) {
    testing::KernelBench bench("fft");
    bench.set_dimensions({4, 2});
    bench.set_workload("points", std::int64_t{64});
    bench.load();
    const auto loads = bench.kernel().node_loads(bench.machine().shape(), 1);
    ASSERT_TRUE(loads);
    EXPECT_EQ(loads->mean.operations, 64.0 * 6.0 / 2.0 / 8.0);
}

TEST(NodeLoadsTest, MachinesThatAreRefusedHaveNone) {
    testing::KernelBench bench("em3d");  // its values don't divide among 7 nodes
    EXPECT_FALSE(bench.kernel().node_loads({{7}, hw::Bytes(1 << 20)}, 1));
    EXPECT_FALSE(testing::KernelBench("ping").kernel().node_loads({{8}, hw::Bytes(1 << 20)}, 1));
}

}  // namespace
}  // namespace weir::firmware
