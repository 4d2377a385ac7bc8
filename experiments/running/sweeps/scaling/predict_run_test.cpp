#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments::running {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using weir::testing::Names;
using Json = nlohmann::json;

// Runs `weir predict` as a user does, on machines that run for milliseconds.
class PredictRunTest : public ProgramTest {
  protected:
    PredictRunTest() {
        write("remap.toml", kMachine +
                                "[workload]\nkernel = \"remap\"\niterations = 60\n"
                                "[run]\nseeds = [1, 2, 3]\n");
        write("fft.toml", kMachine + "[workload]\nkernel = \"fft\"\npoints = 512\n");
    }

    [[nodiscard]] Json predicted(Arguments arguments) const {
        arguments.insert(arguments.begin(), "predict");
        arguments.emplace_back("--json");
        const ProgramEnd end = weir(arguments);
        EXPECT_THAT(end.status, ::testing::AnyOf(0, 1)) << end.error;
        return end.output.empty() ? Json::object() : Json::parse(end.output);
    }
    [[nodiscard]] static std::vector<std::int64_t> nodes_of(const Json& machines) {
        std::vector<std::int64_t> nodes;
        for (const Json& machine : machines) {
            nodes.push_back(machine.at("nodes"));
        }
        return nodes;
    }
    [[nodiscard]] std::string refusal(Arguments arguments) const {
        arguments.insert(arguments.begin(), "predict");
        return refused(arguments);
    }

    const std::string kMachine = "extends = \"alewife\"\nmachine.nodes = 8\n";
};

TEST_F(PredictRunTest, ALargerRemapIsInItsInterval) {
    const Json found = predicted({"remap.toml", "--nodes", "64", "--check"});
    EXPECT_THAT(nodes_of(found.at("machines")),
                ElementsAre(4, 4, 5, 6, 6, 6, 7, 8, 8, 8, 9, 10, 10, 12, 12, 12, 12, 14, 14, 15, 15,
                            16, 16, 16));
    EXPECT_TRUE(found.at("check").at("is_in_bar")) << found;
    EXPECT_LT(found.at("half_width_percent"), 20.0);
    EXPECT_THAT(found.at("doubts"), IsEmpty());
    EXPECT_EQ(found.at("metric"), "cycles_per_iteration");
    EXPECT_EQ(found.at("new_runs"), 73);
}

TEST_F(PredictRunTest, ASecondPredictionRunsNothing) {
    const Arguments arguments{"remap.toml", "--nodes", "64",  "--small",
                              "4,6,8,12",   "--out",   "a.db"};
    Json first = predicted(arguments);
    Json again = predicted(arguments);
    EXPECT_EQ(first.at("new_runs"), 12);
    EXPECT_EQ(again.at("new_runs"), 0);
    first.erase("new_runs");
    again.erase("new_runs");
    EXPECT_EQ(first, again);
    // Another larger machine and one more small one need only the runs of that one.
    EXPECT_EQ(predicted({"remap.toml", "--nodes", "256", "--small", "4,6,8,12,16", "--out", "a.db"})
                  .at("new_runs"),
              3);
}

TEST_F(PredictRunTest, IsTheSameForAnyNumberOfProcesses) {
    const auto text = [this](const std::string& workers, const std::string& database) {
        Json found = predicted({"remap.toml", "--nodes", "64", "--small", "4,6,8,12", "-j", workers,
                                "--out", database});
        found.erase("database");
        return found.dump();
    };
    EXPECT_EQ(text("1", "one.db"), text("3", "three.db"));
}

TEST_F(PredictRunTest, SizesFollowTheMachine) {
    const Json of_node = predicted(
        {"fft.toml", "--nodes", "64", "--small", "2,4,8,16", "--per-node-size", "--out", "a.db"});
    EXPECT_EQ(of_node.at("machines")[1].at("sizes").at("workload.points"), 256);
    EXPECT_EQ(of_node.at("target").at("sizes").at("workload.points"), 4096);
    const Json total = predicted(
        {"fft.toml", "--nodes", "32", "--small", "2,4,8,16", "--total-size", "--out", "b.db"});
    EXPECT_EQ(total.at("machines")[1].at("sizes").at("workload.points"), 512);
    EXPECT_LT(total.at("value"), total.at("machines")[3].at("values")[0]);
}

// The fft takes powers of two: other machines of the usual list are left out.
TEST_F(PredictRunTest, UsualMachinesThatAreRefusedAreLeftOut) {
    const Json found = predicted({"fft.toml", "--nodes", "64", "--per-node-size"});
    EXPECT_THAT(nodes_of(found.at("machines")), ElementsAre(4, 4, 8, 8, 8, 16, 16, 16));
    EXPECT_EQ(found.at("left_out").size(), 8U);  // 5, 6, 7, 9, 10, 12, 14 and 15 nodes
    EXPECT_THAT(refusal({"fft.toml", "--nodes", "64", "--small", "4,8,12,16", "--per-node-size"}),
                Names("workload.points"));
}

// In a fat tree the shapes of equal nodes are the same network. Three different machines are left.
TEST_F(PredictRunTest, AMachineOfTwoNodesIsAddedIfTooFewDiffer) {
    const Json found = predicted(
        {"fft.toml", "--nodes", "64", "--per-node-size", "--set", "network.topology=fat_tree"});
    EXPECT_THAT(nodes_of(found.at("machines")), ElementsAre(2, 4, 4, 8, 8, 8, 16, 16, 16));
    const ProgramEnd end =
        weir({"predict", "fft.toml", "--nodes", "64", "--per-node-size", "--set",
              "network.topology=fat_tree", "--small", "4,8x1,4x2,16", "--out", "b.db"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, Names("--small", "3", "4"));
}

// The time is a staircase over the number of nodes, and LogP has its steps.
TEST_F(PredictRunTest, ABroadcastFollowsItsTree) {
    write("broadcast.toml", kMachine + "[workload]\nkernel = \"broadcast\"\n");
    const Json found = predicted({"broadcast.toml", "--nodes", "64", "--check"});
    EXPECT_TRUE(found.at("check").at("is_in_bar")) << found;
    EXPECT_LT(found.at("half_width_percent"), 5.0);
}

// The busiest node of a larger machine has more than its share of the non-zeros.
TEST_F(PredictRunTest, TheBusiestNodeIsKnown) {
    write("spmv.toml", kMachine + "[workload]\nkernel = \"spmv\"\nrows = 200\nnonzeros = 1200\n");
    const Json found = predicted({"spmv.toml", "--nodes", "64", "--check", "--per-node-size"});
    EXPECT_TRUE(found.at("check").at("is_in_bar")) << found;
    EXPECT_LT(found.at("half_width_percent"), 10.0);
    EXPECT_THAT(found.at("sums").dump(), HasSubstr(" m"));
}

// Bodies load the bisection of the larger mesh more than that of the small ones.
TEST_F(PredictRunTest, ANewBottleneckIsAReasonForDoubt) {
    write("bodies.toml", kMachine +
                             "[workload]\nkernel = \"remap\"\nstyle = \"asynchronous\"\n"
                             "iterations = 10\nbody_bytes = 512\nwork_cycles = 2000\n");
    const Json found = predicted({"bodies.toml", "--nodes", "1024", "--small", "4,6,8,12,16"});
    ASSERT_FALSE(found.at("doubts").empty()) << found;
    EXPECT_THAT(found.at("doubts").dump(), Names("busiest channel", "1024"));
    EXPECT_GT(found.at("busiest_channel_percent"),
              2.0 * found.at("machines")[4].at("busiest_channel_percent").get<double>());
}

TEST_F(PredictRunTest, PagesHaveThePredictionAndItsMachines) {
    const ProgramEnd end = weir(
        {"predict", "remap.toml", "--nodes", "64", "--small", "4,6,8x1,12", "--html", "p.html"});
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_THAT(end.output, AllOf(HasSubstr("95 % interval"), Names("64 nodes", "8 x 1", "12")));
    EXPECT_THAT(read("p.html"), HasSubstr("figure-01"));
}

TEST_F(PredictRunTest, ADryRunListsTheRunsAndLeavesNothing) {
    const ProgramEnd end = weir({"predict", "remap.toml", "--nodes", "64", "--dry-run", "--check"});
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_THAT(words_of(end.output), Names("73 runs", "25 points"));
    EXPECT_THAT(everything(), ElementsAre("fft.toml", "remap.toml"));
}

TEST_F(PredictRunTest, BadInputIsOneMessage) {
    EXPECT_THAT(refusal({"remap.toml", "--nodes", "64", "--small", "8"}),
                Names("--small", "4", "weir run remap.toml"));
    EXPECT_THAT(refusal({"remap.toml", "--nodes", "16", "--small", "4,8,12,16"}),
                Names("--nodes 16", "weir run remap.toml --set machine.nodes=16"));
    EXPECT_THAT(refusal({"remap.toml", "--nodes", "8"}), Names("--nodes 8", "weir run remap.toml"));
    EXPECT_THAT(refusal({"remap.toml", "--nodes", "64", "--small", "4,8,8,16"}),
                Names("--small 4x2"));
    EXPECT_THAT(refusal({"remap.toml", "--nodes", "64", "--total-size"}),
                Names("--total-size", "remap", "--per-node-size"));
    EXPECT_THAT(refusal({"fft.toml", "--nodes", "64"}),
                Names("fft", "workload.points", "--per-node-size", "--total-size"));
    EXPECT_THAT(refusal({"fft.toml", "--nodes", "100", "--per-node-size"}),
                Names("workload.points"));
    EXPECT_THAT(refusal({"remap.toml", "--nodes", "100", "--set", "network.topology=hypercube"}),
                Names("100", "hypercube", "power of 2"));
    write("grid.toml", kMachine + "[workload]\nkernel = \"jacobi\"\ngrid = 16\n");
    EXPECT_THAT(refusal({"grid.toml", "--nodes", "256", "--per-node-size"}),
                Names("workload.grid", "256", "--total-size"));
    EXPECT_THAT(everything(), ElementsAre("fft.toml", "grid.toml", "remap.toml"));
}

TEST_F(PredictRunTest, AFailedRunIsAFailure) {
    const ProgramEnd end =
        weir({"predict", "remap.toml", "--nodes", "64", "--set", "run.most_cycles=100"});
    EXPECT_EQ(end.status, 3);
    EXPECT_EQ(end.output, "");
    EXPECT_THAT(end.error, Names("run.most_cycles"));
}

TEST_F(PredictRunTest, AMetricThatNoRunHas) {
    const ProgramEnd end = weir({"predict", "remap.toml", "--nodes", "64", "--small", "4,6,8,12",
                                 "--metric", "cycles_per_iterations"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, Names("\"cycles_per_iteration\""));
}

}  // namespace
}  // namespace weir::experiments::running
