#include "network/topology/dragonfly.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/refusal.h"
#include "hw/testing/names.h"
#include "network/network_parameters.h"
#include "network/network_plan.h"
#include "network/routing/channel_dependencies.h"
#include "network/topology/metrics.h"

namespace weir::network {
namespace {

using weir::testing::Names;

// The paper's example (Figure 5): h = 2, p = 2, a = 4, thus 9 groups and 72 nodes.
constexpr DragonflyShape kBalanced{2, 4, 9};

// Hops of a message on the channels that the routing allows.
std::int32_t hops_between(const Routing& routing, const ChannelIndex& channels, std::size_t sender,
                          std::size_t receiver) {
    const Topology& topology = routing.topology();
    const TopologyGraph& graph = topology.graph();
    Channel channel = *out_edges(topology.vertex_of_node(sender), graph).first;
    int virtual_channel = 0;
    std::int32_t hops = 1;
    while (!topology.is_ejection(channel) && hops < 100) {
        const std::size_t at = target(channel, graph);
        const auto outputs =
            routing.outputs({at, graph[channel].input_port, virtual_channel}, receiver);
        EXPECT_EQ(outputs.size(), 1U);
        channel = channels.channel(channels.at_output(at, outputs.front().port));
        virtual_channel = outputs.front().virtual_channel;
        ++hops;
    }
    EXPECT_EQ(target(channel, graph), topology.vertex_of_node(receiver));
    return hops;
}

TEST(DragonflyTest, HasTheChannelsOfThePapersExample) {
    const Topology dragonfly = dragonfly_topology(kBalanced);
    EXPECT_EQ(dragonfly.node_count(), 72U);
    EXPECT_EQ(dragonfly.switch_count(), 36U);
    // Each router's radix is p + (a - 1) + h = 7, in each direction; the channels of its p nodes
    // are included.
    EXPECT_EQ(degrees_of(dragonfly).least, 7U);
    EXPECT_EQ(degrees_of(dragonfly).largest, 7U);
    EXPECT_EQ(hop_channels_of(dragonfly), 36U * 7U + 72U);
    EXPECT_THAT(dragonfly.title(), Names("2", "nodes", "2", "global"));
}

TEST(DragonflyTest, EachPairOfGroupsHasOneChannelEachWay) {
    const Topology dragonfly = dragonfly_topology(kBalanced);
    std::vector<std::vector<int>> between(9, std::vector<int>(9));
    for (const Channel channel : channels_of(dragonfly.graph())) {
        if (!dragonfly.is_injection(channel) && !dragonfly.is_ejection(channel)) {
            const auto& from = dragonfly.graph()[source(channel, dragonfly.graph())];
            const auto& to = dragonfly.graph()[target(channel, dragonfly.graph())];
            ++between[static_cast<std::size_t>(from.coordinates[0])]
                     [static_cast<std::size_t>(to.coordinates[0])];
        }
    }
    for (std::size_t from = 0; from < 9; ++from) {
        for (std::size_t to = 0; to < 9; ++to) {
            EXPECT_EQ(between[from][to], from == to ? 4 * 3 : 1) << from << " to " << to;
        }
    }
}

// A shortest path has at most a local, a global and another local channel (Section 3.1), and a
// node's channel at each end.
TEST(DragonflyTest, TheDiameterIsThreeChannelsBetweenRouters) {
    EXPECT_EQ(distances_of(dragonfly_topology(kBalanced)).diameter, 5);
    EXPECT_EQ(distances_of(dragonfly_topology({4, 1, 5})).diameter, 3) << "all are joined";
    EXPECT_EQ(distances_of(dragonfly_topology({1, 6, 2})).diameter, 5);
}

// Other nodes are at the same router, or at a router one, two or three channels away.
TEST(DragonflyTest, MinimalRoutesHaveTheirLengthsInClosedForm) {
    const Topology dragonfly = dragonfly_topology(kBalanced);
    const auto routing = dragonfly_minimal_routing(dragonfly);
    const ChannelIndex channels(dragonfly);
    std::vector<std::int64_t> pairs(6);
    for (std::size_t sender = 0; sender < dragonfly.node_count(); ++sender) {
        const std::vector<std::int32_t> shortest = hops_from(dragonfly, sender);
        for (std::size_t receiver = 0; receiver < dragonfly.node_count(); ++receiver) {
            if (receiver != sender) {
                const std::int32_t hops = hops_between(*routing, channels, sender, receiver);
                ASSERT_LE(hops, 5);
                ASSERT_GE(hops, shortest[receiver]);
                ++pairs[static_cast<std::size_t>(hops)];
            }
        }
    }
    // The router has channels to 2 groups; the other 6 are reached by other routers of its group.
    constexpr std::int64_t kNodes = 72;
    EXPECT_EQ(pairs[2], kNodes * 1);
    EXPECT_EQ(pairs[3], kNodes * 2 * (3 + 2));
    EXPECT_EQ(pairs[4], kNodes * 2 * (2 * 3 + 6));
    EXPECT_EQ(pairs[5], kNodes * 2 * (6 * 3));
}

TEST(DragonflyTest, MinimalRoutingIsProvedFreeOfDeadlock) {
    for (const DragonflyShape& shape :
         {kBalanced, DragonflyShape{1, 2, 3}, DragonflyShape{3, 4, 6}, DragonflyShape{2, 1, 5}}) {
        const Topology dragonfly = dragonfly_topology(shape);
        const auto routing = dragonfly_minimal_routing(dragonfly);
        EXPECT_TRUE(ChannelDependencies(*routing).is_acyclic()) << dragonfly.title();
    }
}

// Planted fault: without the second virtual channel, local channels wait for global ones and these
// for local ones.
TEST(DragonflyTest, OnOneVirtualChannelItsRoutingHasACycle) {
    const Topology dragonfly = dragonfly_topology(kBalanced);
    const auto routing = dragonfly_minimal_routing(dragonfly, 1);
    EXPECT_FALSE(ChannelDependencies(*routing).is_acyclic());
}

std::string fault_of(const std::vector<std::int64_t>& dimensions, std::int64_t virtual_channels) {
    NetworkParameters parameters;
    EXPECT_TRUE(parameters.topology.set(std::string("dragonfly")));
    EXPECT_TRUE(parameters.dimensions.set(dimensions));
    EXPECT_TRUE(parameters.virtual_channels.set(virtual_channels));
    const auto fault = parameters.check();
    return fault ? fault->key + " " + hw::text_of(*fault) : "";
}

TEST(DragonflyTest, ItsParametersAreNodesRoutersAndGroups) {
    EXPECT_EQ(fault_of({2, 4, 9}, 0), "");
    EXPECT_EQ(fault_of({2, 4, 9}, 4), "");
    EXPECT_THAT(fault_of({8, 9}, 0), Names("dimensions", "dragonfly", "[nodes"));
    EXPECT_THAT(fault_of({8, 9, 1}, 0), Names("dimensions", "2", "groups"));
    EXPECT_THAT(fault_of({2, 4, 9}, 3), Names("virtual_channels", "odd", "dragonfly"));

    NetworkParameters parameters;
    EXPECT_TRUE(parameters.topology.set(std::string("dragonfly")));
    EXPECT_TRUE(parameters.dimensions.set(std::vector<std::int64_t>{2, 4, 9}));
    const NetworkPlan plan(parameters);
    EXPECT_EQ(plan.topology().node_count(), 72U);
    EXPECT_EQ(plan.routing().virtual_channels(), 2);
    EXPECT_TRUE(prove(plan.routing()).is_free_of_deadlock());
}

TEST(DragonflyTest, ChannelsBetweenGroupsMayBeLonger) {
    const Topology dragonfly =
        dragonfly_topology({.terminals = 2, .routers = 4, .groups = 9, .global_cycles = 20});
    const TopologyGraph& graph = dragonfly.graph();
    for (const Channel channel : channels_of(graph)) {
        const bool is_global = graph[channel].direction.starts_with("global");
        EXPECT_EQ(graph[channel].cycles, is_global ? 20 : 0);
    }
}

}  // namespace
}  // namespace weir::network
