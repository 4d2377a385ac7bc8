#include "nodes/wait_cycle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "hw/testing/names.h"
#include "network/network_plan.h"
#include "network/routing/channel_dependencies.h"
#include "network/topology/lattice.h"
#include "nodes/testing/explained_waits.h"

namespace weir::nodes {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using testing::ExplainedWaits;
using testing::names_wait;
using ::testing::Not;
using weir::testing::Names;
using weir::testing::NamesMatcher;

// Matchers of the sentences about steps that form a cycle, and about steps that do not.
::testing::Matcher<std::string> is_of_a_cycle() { return AllOf(Names("cycle"), Not(Names("no"))); }
::testing::Matcher<std::string> is_of_no_cycle() { return Names("no", "cycle"); }

std::vector<NamesMatcher> steps_of(const hw::WaitReport& waits) {
    std::vector<NamesMatcher> steps;
    for (const hw::Wait& wait : waits) {
        steps.push_back(names_wait(wait));
    }
    return steps;
}

TEST(WaitCycleTest, NamesTheCycleAndNothingElse) {
    const hw::WaitReport report{{"a", "b", "1"}, {"b", "c", "2"}, {"x", "a", "9"}, {"c", "a", "3"}};
    const ExplainedWaits explained(explain(report));
    EXPECT_THAT(explained.sentences, ElementsAre(is_of_a_cycle()));
    EXPECT_THAT(explained.steps,
                ElementsAreArray(steps_of({{"a", "b", "1"}, {"b", "c", "2"}, {"c", "a", "3"}})));
}

TEST(WaitCycleTest, WithoutACycleNamesAllThatWait) {
    const hw::WaitReport report{{"a", "b", "1"}, {"b", "c", "2"}};
    const ExplainedWaits explained(explain(report));
    EXPECT_THAT(explained.sentences, ElementsAre(is_of_no_cycle()));
    EXPECT_THAT(explained.steps, ElementsAreArray(steps_of(report)));
}

TEST(WaitCycleTest, OfManyThatWaitFortyAreNamed) {
    hw::WaitReport report;
    for (int i = 0; i < 42; ++i) {
        report.push_back({std::to_string(i), std::to_string(i + 1), "full"});
    }
    const ExplainedWaits explained(explain(report));
    ASSERT_EQ(explained.steps.size(), 41U);
    EXPECT_THAT(explained.steps[39], Names("39", "40", "full"));
    EXPECT_THAT(explained.steps[40], AllOf(Names("2"), Not(Names("full"))));
}

TEST(WaitCycleTest, APartThatWaitsForItselfIsACycle) {
    const ExplainedWaits explained(explain({{"a", "a", "1"}}));
    EXPECT_THAT(explained.sentences, ElementsAre(is_of_a_cycle()));
    EXPECT_THAT(explained.steps, ElementsAre(Names("a", "a", "1")));
}

// --- Networks with a routing

using network::RingClasses;
using network::RingTies;
using network::Topology;

// Matchers of the sentences that name a cycle as the deadlock proof's, as another cycle, or as
// closed by end points.
::testing::Matcher<std::string> is_of_the_proof() {
    return AllOf(Names("cycle", "proof"), Not(Names("another")));
}
::testing::Matcher<std::string> is_of_another() { return Names("another", "cycle", "proof"); }
::testing::Matcher<std::string> is_of_end_points() { return Names("protocol", "end", "points"); }

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
    const ExplainedWaits explained(explain(report, *can_deadlock));
    EXPECT_THAT(explained.sentences, ElementsAre(is_of_a_cycle(), is_of_the_proof()));
    EXPECT_THAT(explained.steps, ElementsAreArray(steps_of(ring(proofs))));
}

TEST_F(RoutedWaitCycleTest, AnotherCycleIsSaidToBeAnother) {
    hw::WaitReport report = ring(other);
    report.push_back(ring(proofs)[1]);
    const ExplainedWaits explained(explain(report, *can_deadlock));
    EXPECT_THAT(explained.sentences, ElementsAre(is_of_a_cycle(), is_of_another()));
    for (const hw::Wait& wait : ring(other)) {
        EXPECT_THAT(explained.steps, Contains(names_wait(wait)));
    }
}

// The cycle of end points is reported first.
TEST_F(RoutedWaitCycleTest, ACycleOfChannelsIsPreferredToOneOfEndPoints) {
    hw::WaitReport report{{"core", "queue", "full"}, {"queue", "core", "busy"}};
    for (const hw::Wait& wait : ring(other)) {
        report.push_back(wait);
    }
    EXPECT_THAT(ExplainedWaits(explain(report, *can_deadlock)).sentences,
                ElementsAre(is_of_a_cycle(), is_of_another()));
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
    const ExplainedWaits explained(explain(report, *can_deadlock));
    EXPECT_THAT(explained.sentences, ElementsAre(is_of_a_cycle(), is_of_end_points()));
    ASSERT_EQ(explained.steps.size(), 6U);
    EXPECT_THAT(explained.steps[4], Names("interface", "node 0 injection"));
    EXPECT_THAT(explained.steps[5], Names("(1,0) ejection", "interface"));
}

// Planted fault: a step that no message takes, from +y to +x.
TEST_F(RoutedWaitCycleTest, AStepAgainstTheRoutingIsNoChannelDependency) {
    const hw::WaitReport report = ring({"(0,0) +y", "(0,1) +x"});
    const ExplainedWaits explained(explain(report, *can_deadlock));
    EXPECT_THAT(explained.sentences, ElementsAre(is_of_a_cycle(), is_of_end_points()));
    ASSERT_EQ(explained.steps.size(), 4U);
    EXPECT_THAT(explained.steps[2], Names("(0,0) +y", "(0,1) +x"));
    EXPECT_THAT(explained.steps[3], Names("(0,1) +x", "(0,0) +y"));
}

TEST_F(RoutedWaitCycleTest, CopiesOfTheNetworkHaveCyclesOfTheirOwn) {
    hw::WaitReport halves = ring(proofs, " of copy 0");
    const hw::WaitReport second = ring(proofs, " of copy 1");
    halves[1] = second[1];
    halves[2] = second[2];
    EXPECT_THAT(ExplainedWaits(explain(halves, *can_deadlock)).sentences,
                ElementsAre(is_of_no_cycle()));
    const ExplainedWaits explained(explain(second, *can_deadlock));
    EXPECT_THAT(explained.sentences, ElementsAre(is_of_a_cycle(), is_of_the_proof()));
    EXPECT_THAT(explained.steps, ElementsAreArray(steps_of(second)));
}

// Adaptive channels may wait in a cycle, since each also has an escape channel.
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
    const ExplainedWaits explained(explain(report, *adaptive));
    EXPECT_THAT(explained.sentences, ElementsAre(is_of_a_cycle(), is_of_end_points()));
    EXPECT_THAT(explained.steps,
                ElementsAre(names_wait(report[4]), names_wait(report[5]),
                            Names(channels[3], "core"), Names("core", channels[3])));
}

}  // namespace
}  // namespace weir::nodes
