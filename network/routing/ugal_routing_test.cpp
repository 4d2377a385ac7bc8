#include "network/routing/ugal_routing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "hw/refusal.h"
#include "hw/testing/names.h"
#include "network/network_parameters.h"
#include "network/network_plan.h"
#include "network/routing/channel_dependencies.h"
#include "network/topology/dragonfly.h"

namespace weir::network {
namespace {

using ::testing::ElementsAre;
using weir::testing::Names;

// The example of Kim et al. (Figure 5): two nodes per router, four routers per group, nine groups.
constexpr DragonflyShape kBalanced{2, 4, 9};

struct Walk {
    std::vector<int> virtual_channels;  // one for each channel between routers
    std::size_t end = 0;                // vertex of the node at the end
};

Walk walk(const Routing& routing, std::size_t source_node, std::size_t destination, int lot) {
    const Topology& topology = routing.topology();
    const TopologyGraph& graph = topology.graph();
    const ChannelIndex channels(topology);
    Channel channel = *out_edges(topology.vertex_of_node(source_node), graph).first;
    int vc = 0;
    Walk walked;
    while (!topology.is_ejection(channel) && walked.virtual_channels.size() < 10) {
        const std::size_t at = target(channel, graph);
        const auto outputs = routing.outputs({at, graph[channel].input_port, vc, lot}, destination);
        channel = channels.channel(channels.at_output(at, outputs.front().port));
        vc = outputs.front().virtual_channel;
        if (!topology.is_ejection(channel)) {
            walked.virtual_channels.push_back(vc);
        }
    }
    walked.end = target(channel, graph);
    return walked;
}

// Lots of 2 x 4 x 9: a group is 8 nodes.
int group_of(std::size_t node) { return static_cast<int>(node / 8); }

TEST(UgalTest, TheRandomGroupIsNeitherTheSourcesNorTheDestinations) {
    const Topology dragonfly = dragonfly_topology(kBalanced);
    const auto routing = ugal_routing(dragonfly);
    std::set<int> groups;
    EXPECT_EQ(routing->lots_between(9, 70), 7U);
    for (std::size_t number = 0; number < 7; ++number) {
        groups.insert(routing->lot_between(9, 70, number));
    }
    EXPECT_THAT(groups, ElementsAre(0, 2, 3, 4, 5, 6, 7));
    EXPECT_EQ(routing->lots_between(9, 14), 1U) << "in one group";
    EXPECT_EQ(routing->lot_between(9, 14, 0), 1);
    const Topology two_groups = dragonfly_topology({2, 3, 2});
    EXPECT_EQ(ugal_routing(two_groups)->lots_between(0, 11), 1U);
}

// The hops of the choice are those of both routes, and their ports the first ones.
TEST(UgalTest, TheChoiceDescribesBothRoutes) {
    for (const DragonflyShape& shape : {kBalanced, DragonflyShape{1, 3, 4}, {2, 1, 5}, {3, 2, 3}}) {
        const Topology dragonfly = dragonfly_topology(shape);
        const auto routing = ugal_routing(dragonfly);
        for (std::size_t from = 0; from < dragonfly.node_count(); from += 3) {
            const std::size_t router = dragonfly.switch_of_node(from);
            for (std::size_t to = 0; to < dragonfly.node_count(); ++to) {
                const std::size_t lots = routing->lots_between(from, to);
                for (std::size_t number = 0; number < lots; ++number) {
                    const int lot = routing->lot_between(from, to, number);
                    const auto choice = routing->choice_at(router, to, lot);
                    if (!choice) {
                        ASSERT_EQ(lots, 1U);
                        continue;
                    }
                    for (const auto& route : {choice->minimal, choice->other}) {
                        const Walk walked = walk(*routing, from, to, route.lot);
                        ASSERT_EQ(walked.end, dragonfly.vertex_of_node(to));
                        ASSERT_EQ(static_cast<std::int64_t>(walked.virtual_channels.size()),
                                  route.hops);
                        ASSERT_EQ(routing->outputs({router, 0, 0, route.lot}, to).front().port,
                                  route.port);
                    }
                    ASSERT_EQ(choice->other.lot, lot);
                    const auto minimal = dragonfly_minimal_routing(dragonfly);
                    ASSERT_EQ(walk(*minimal, from, to, 0).virtual_channels.size(),
                              choice->minimal.hops);
                }
            }
        }
    }
}

// Virtual channels are those of the phase: to the random group, to the destination's, and in it.
TEST(UgalTest, ARouteHasAVirtualChannelForEachPhase) {
    const Topology dragonfly = dragonfly_topology(kBalanced);
    const auto routing = ugal_routing(dragonfly);
    std::set<std::vector<int>> minimal;
    std::set<std::vector<int>> other;
    for (std::size_t to = 8; to < 72; ++to) {
        minimal.insert(walk(*routing, 0, to, 0).virtual_channels);
        const std::size_t lots = routing->lots_between(0, to);
        for (std::size_t number = 0; number < lots; ++number) {
            other.insert(
                walk(*routing, 0, to, routing->lot_between(0, to, number)).virtual_channels);
        }
        ASSERT_NE(group_of(to), 0);
    }
    EXPECT_THAT(minimal, ElementsAre(std::vector<int>{1}, std::vector<int>{1, 1},
                                     std::vector<int>{1, 1, 2}, std::vector<int>{1, 2}));
    EXPECT_EQ(other.count({0, 0, 1, 1, 2}), 1U);
    EXPECT_EQ(other.count({0, 1}), 1U);
    for (const std::vector<int>& vcs : other) {
        EXPECT_TRUE(std::is_sorted(vcs.begin(), vcs.end()));
        EXPECT_EQ(vcs.front(), 0);
    }
    EXPECT_EQ(walk(*routing, 0, 7, 0).virtual_channels, std::vector<int>{2}) << "in the group";
}

TEST(UgalTest, TheChosenRouteHasTheShorterQueueTimesHops) {
    const RouteChoice choice{{.lot = 3, .port = 2, .hops = 3}, {.lot = 7, .port = 4, .hops = 5}};
    EXPECT_EQ(choice.lot(0, 0), 3);
    EXPECT_EQ(choice.lot(5, 3), 3) << "equal delays";
    EXPECT_EQ(choice.lot(6, 3), 7);
    EXPECT_EQ(choice.lot(1, 0), 7);
    RouteChoice biased = choice;
    biased.threshold_flits = 4;
    EXPECT_EQ(biased.lot(4, 0), 3);
    EXPECT_EQ(biased.lot(5, 0), 7);
    EXPECT_EQ(biased.lot(9, 3), 3);
    EXPECT_EQ(biased.lot(10, 3), 7);
}

// The routes of all lots, by their virtual channels, have the dependencies of each lot's routes.
TEST(UgalTest, ItsProofHasTheDependenciesOfEachLot) {
    class ByLots final : public Routing {
      public:
        explicit ByLots(const Routing& routing) : Routing(routing.topology()), routing_(routing) {}
        [[nodiscard]] int virtual_channels() const override { return routing_.virtual_channels(); }
        [[nodiscard]] int lots() const override { return routing_.lots(); }
        void add_outputs(const HeaderPlace& place, std::size_t destination,
                         std::vector<RoutedOutput>& outputs) const override {
            routing_.add_outputs(place, destination, outputs);
        }

      private:
        const Routing& routing_;
    };
    for (const DragonflyShape& shape :
         {kBalanced, DragonflyShape{1, 3, 4}, {2, 1, 5}, {3, 2, 3}, {1, 2, 2}}) {
        const Topology dragonfly = dragonfly_topology(shape);
        const auto routing = ugal_routing(dragonfly);
        const ChannelDependencies together(*routing);
        const ByLots each(*routing);
        const ChannelDependencies by_lots(each);
        EXPECT_EQ(together.dependency_count(), by_lots.dependency_count()) << dragonfly.title();
        EXPECT_TRUE(together.is_acyclic()) << dragonfly.title();
        EXPECT_TRUE(together.has_choice());
        const auto spread = spread_over(ugal_routing(dragonfly), 6);
        EXPECT_TRUE(spread->chooses_by_queues());
        EXPECT_TRUE(ChannelDependencies(*spread).is_acyclic());
    }
}

// Planted fault: two phases on one virtual channel.
TEST(UgalTest, WithTwoVirtualChannelsHasACycle) {
    class TwoChannels final : public Routing {
      public:
        TwoChannels(const Routing& routing, int merged)
            : Routing(routing.topology()), routing_(routing), merged_(merged) {}
        [[nodiscard]] int virtual_channels() const override { return 2; }
        [[nodiscard]] int lots() const override { return routing_.lots(); }
        void add_outputs(const HeaderPlace& place, std::size_t destination,
                         std::vector<RoutedOutput>& outputs) const override {
            for (RoutedOutput output : routing_.outputs(place, destination)) {
                output.virtual_channel -= output.virtual_channel > merged_ ? 1 : 0;
                outputs.push_back(output);
            }
        }

      private:
        const Routing& routing_;
        int merged_;
    };
    const Topology dragonfly = dragonfly_topology(kBalanced);
    const auto routing = ugal_routing(dragonfly);
    for (const int merged : {0, 1}) {
        const TwoChannels two(*routing, merged);
        EXPECT_FALSE(ChannelDependencies(two).is_acyclic()) << merged;
    }
}

// Planted fault: local channels before and after the first global one on one virtual channel, as in
// the routing function of BookSim 2.
TEST(UgalTest, WithOneVirtualChannelUpToTheRandomGroupHasACycle) {
    class OneChannel final : public Routing {
      public:
        OneChannel(const Routing& routing, const DragonflyPlaces& places)
            : Routing(routing.topology()), routing_(routing), places_(places) {}
        [[nodiscard]] int virtual_channels() const override { return 3; }
        [[nodiscard]] int lots() const override { return routing_.lots(); }
        void add_outputs(const HeaderPlace& place, std::size_t destination,
                         std::vector<RoutedOutput>& outputs) const override {
            const bool enters_random_group =
                places_.is_global(place.input_port) && place.virtual_channel == 0;
            for (RoutedOutput output : routing_.outputs(place, destination)) {
                if (enters_random_group && !places_.is_global(output.port)) {
                    output.virtual_channel = 0;
                }
                outputs.push_back(output);
            }
        }

      private:
        const Routing& routing_;
        const DragonflyPlaces& places_;
    };
    const Topology dragonfly = dragonfly_topology(kBalanced);
    const auto routing = ugal_routing(dragonfly);
    const DragonflyPlaces places(dragonfly);
    const OneChannel one(*routing, places);
    EXPECT_FALSE(ChannelDependencies(one).is_acyclic());
}

std::string fault_of(const std::string& topology, const std::vector<std::int64_t>& dimensions,
                     std::int64_t virtual_channels) {
    NetworkParameters parameters;
    EXPECT_TRUE(parameters.topology.set(topology));
    EXPECT_TRUE(parameters.dimensions.set(dimensions));
    EXPECT_TRUE(parameters.routing.set(std::string("ugal")));
    EXPECT_TRUE(parameters.virtual_channels.set(virtual_channels));
    const auto fault = parameters.check();
    return fault ? fault->key + " " + hw::text_of(*fault) : "";
}

TEST(UgalTest, NeedsADragonflyAndThreeClassesOfVirtualChannels) {
    for (const std::int64_t virtual_channels : {0, 3, 6}) {
        EXPECT_EQ(fault_of("dragonfly", {2, 4, 9}, virtual_channels), "");
    }
    for (const std::int64_t virtual_channels : {1, 2, 4}) {
        EXPECT_THAT(fault_of("dragonfly", {2, 4, 9}, virtual_channels),
                    Names("virtual_channels", "multiple", "3", "UGAL"));
    }
    EXPECT_THAT(fault_of("mesh", {8, 8}, 0), Names("routing", "dragonfly"));

    NetworkParameters parameters;
    EXPECT_TRUE(parameters.topology.set(std::string("dragonfly")));
    EXPECT_TRUE(parameters.dimensions.set(std::vector<std::int64_t>{2, 4, 9}));
    EXPECT_TRUE(parameters.routing.set(std::string("ugal")));
    EXPECT_TRUE(parameters.ugal_threshold_flits.set(std::int64_t{30}));
    const NetworkPlan plan(parameters);
    EXPECT_EQ(plan.routing().virtual_channels(), 3);
    EXPECT_EQ(plan.routing().choice_at(0, 70, 3)->threshold_flits, 30);
    EXPECT_TRUE(prove(plan.routing()).is_free_of_deadlock());
    EXPECT_FALSE(prove(plan.routing()).keeps_order);
}

}  // namespace
}  // namespace weir::network
