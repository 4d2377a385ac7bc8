#include "nodes/wait_cycle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "network/network_plan.h"
#include "network/routing/channel_dependencies.h"
#include "network/topology/lattice.h"

namespace weir::nodes {
namespace {

TEST(WaitCycleTest, NamesTheCycleAndNothingElse) {
    const hw::WaitReport report{{"a", "b", "1"}, {"b", "c", "2"}, {"x", "a", "9"}, {"c", "a", "3"}};
    EXPECT_EQ(explain(report),
              "a cycle of parts that wait for one another:\n"
              "  a waits for b: 1\n"
              "  b waits for c: 2\n"
              "  c waits for a: 3\n");
}

TEST(WaitCycleTest, WithoutACycleNamesAllThatWait) {
    EXPECT_EQ(explain({{"a", "b", "1"}, {"b", "c", "2"}}),
              "no cycle among the parts; these wait:\n"
              "  a waits for b: 1\n"
              "  b waits for c: 2\n");
}

TEST(WaitCycleTest, OfManyThatWaitFortyAreNamed) {
    hw::WaitReport report;
    for (int i = 0; i < 42; ++i) {
        report.push_back({std::to_string(i), std::to_string(i + 1), "it does"});
    }
    EXPECT_THAT(explain(report), ::testing::EndsWith("  39 waits for 40: it does\n"
                                                     "  and 2 more\n"));
}

TEST(WaitCycleTest, APartThatWaitsForItselfIsACycle) {
    EXPECT_EQ(explain({{"a", "a", "1"}}),
              "a cycle of parts that wait for one another:\n  a waits for a: 1\n");
}

// --- Of a routing -------------------------------------------------------------------------------

using network::RingClasses;
using network::RingTies;
using network::Topology;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kCycle = "a cycle of parts that wait for one another:\n";
const std::string kProofs = "it is the cycle that the deadlock proof names\n";
const std::string kAnother =
    "it is another cycle than the one that the deadlock proof names; each of its steps is a "
    "channel dependency of the routing too\n";
const std::string kProtocol =
    "channel dependencies of the routing alone do not close it; these steps are protocol "
    "dependencies, of end points that do not take in what arrives:\n";

class RoutedWaitCycleTest : public ::testing::Test {
  public:
    // Each channel waits for the next, and the last for the first.
    static hw::WaitReport ring(const std::vector<std::string>& channels,
                               const std::string& copy = "") {
        hw::WaitReport report;
        for (std::size_t i = 0; i < channels.size(); ++i) {
            report.push_back(
                {channels[i] + copy, channels[(i + 1) % channels.size()] + copy, "full"});
        }
        return report;
    }
    static std::string sentences(const hw::WaitReport& waits) {
        std::string text;
        for (const hw::Wait& wait : waits) {
            text += "  " + wait.who + " waits for " + wait.for_whom + ": " + wait.why + "\n";
        }
        return text;
    }

    const Topology torus = network::torus_topology({4, 4});
    const std::unique_ptr<network::Routing> can_deadlock =
        network::torus_dimension_order_routing(torus, {0, 1}, {RingClasses::kNone, RingTies::kUp});
    const std::vector<std::string> proofs = network::prove(*can_deadlock).cycle;
    const std::vector<std::string> other{"(3,0) +y", "(3,1) +y", "(3,2) +y", "(3,3) +y"};
};

TEST_F(RoutedWaitCycleTest, TheProofsCycleIsNamedBeforeAllOthersFromItsFirstChannelOn) {
    hw::WaitReport report = ring(other);
    ASSERT_EQ(proofs.size(), 4U);
    for (const std::size_t place : {2, 0, 3, 1}) {
        report.push_back(ring(proofs)[place]);
    }
    EXPECT_EQ(explain(report, *can_deadlock), kCycle + sentences(ring(proofs)) + kProofs);
}

TEST_F(RoutedWaitCycleTest, AnotherCycleIsSaidToBeAnother) {
    hw::WaitReport report = ring(other);
    report.push_back(ring(proofs)[1]);
    const std::string text = explain(report, *can_deadlock);
    EXPECT_THAT(text, StartsWith(kCycle));
    EXPECT_THAT(text, EndsWith(kAnother));
    for (const hw::Wait& wait : ring(other)) {
        EXPECT_THAT(text, HasSubstr(sentences({wait})));
    }
}

// The end points' is reported first, and is a cycle too.
TEST_F(RoutedWaitCycleTest, ACycleOfChannelsIsPreferredToOneOfEndPoints) {
    hw::WaitReport report{{"core", "queue", "full"}, {"queue", "core", "busy"}};
    for (const hw::Wait& wait : ring(other)) {
        report.push_back(wait);
    }
    EXPECT_THAT(explain(report, *can_deadlock), EndsWith(kAnother));
}

TEST_F(RoutedWaitCycleTest, StepsThatAreNoChannelDependenciesAreNamed) {
    const hw::WaitReport report{{"interface", "node 0 injection", "full"},
                                {"node 0 injection", "(0,0) +x", "full"},
                                {"(0,0) +x", "(1,0) ejection", "full"},
                                {"(1,0) ejection", "interface", "full"}};
    const network::ChannelDependencies dependencies(*can_deadlock);
    for (const char* channel : {"node 0 injection", "(1,0) ejection"}) {
        ASSERT_EQ(dependencies.vertices_by_name().count(channel), 1U) << channel;
    }
    const std::string text = explain(report, *can_deadlock);
    EXPECT_THAT(text, StartsWith(kCycle));
    EXPECT_THAT(text, EndsWith(kProtocol + "  interface waits for node 0 injection\n" +
                               "  (1,0) ejection waits for interface\n"));
}

// Planted: a step that no message takes, from +y to +x.
TEST_F(RoutedWaitCycleTest, AStepAgainstTheRoutingIsNoChannelDependency) {
    const hw::WaitReport report = ring({"(0,0) +y", "(0,1) +x"});
    EXPECT_THAT(explain(report, *can_deadlock),
                EndsWith(kProtocol + "  (0,0) +y waits for (0,1) +x\n" +
                         "  (0,1) +x waits for (0,0) +y\n"));
}

TEST_F(RoutedWaitCycleTest, CopiesOfTheNetworkHaveCyclesOfTheirOwn) {
    hw::WaitReport halves = ring(proofs, " of copy 0");
    const hw::WaitReport second = ring(proofs, " of copy 1");
    halves[1] = second[1];
    halves[2] = second[2];
    EXPECT_THAT(explain(halves, *can_deadlock), StartsWith("no cycle"));
    EXPECT_EQ(explain(second, *can_deadlock), kCycle + sentences(second) + kProofs);
}

// Free to wait in a circle for one another, as each has an escape too.
TEST_F(RoutedWaitCycleTest, AdaptiveChannelsAreNotBlamedWhereEscapesLeadOn) {
    const auto adaptive = network::minimal_adaptive_routing(
        network::torus_dimension_order_routing(torus, {0, 1}, {RingClasses::kDateline}), 3);
    std::vector<std::string> channels;
    for (const char* channel : {"(0,0) +x", "(1,0) +x", "(2,0) +x", "(3,0) +x"}) {
        channels.push_back(std::string(channel) + " virtual channel 2");
    }
    hw::WaitReport report = ring(channels);
    report.push_back({channels[3], "core", "full"});
    report.push_back({"core", channels[3], "full"});
    EXPECT_EQ(explain(report, *adaptive),
              kCycle + sentences({report[4], report[5]}) + kProtocol + "  " + channels[3] +
                  " waits for core\n  core waits for " + channels[3] + "\n");
}

}  // namespace
}  // namespace weir::nodes
