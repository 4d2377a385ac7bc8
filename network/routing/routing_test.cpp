#include "network/routing/routing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/range/iterator_range.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <ostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "hw/random_stream.h"
#include "hw/testing/names.h"
#include "hw/testing/test_cost.h"
#include "network/routing/channel_dependencies.h"
#include "network/routing/o1turn_routing.h"
#include "network/routing/planar_adaptive_routing.h"
#include "network/routing/turn_model_routing.h"
#include "network/routing/two_phase_routing.h"
#include "network/routing/ugal_routing.h"
#include "network/testing/has_circle.h"
#include "network/topology/butterfly.h"
#include "network/topology/dragonfly.h"
#include "network/topology/fat_tree.h"
#include "network/topology/graph_file.h"
#include "network/topology/lattice.h"
#include "network/topology/metrics.h"
#include "network/topology/router_grid.h"
#include "network/topology/slim_fly.h"

namespace weir::network {
namespace {

using weir::testing::Names;

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Topology topology_of_dot(const std::string& text) {
    std::istringstream file(text);
    return read_graph(file, GraphFormat::kDot, "a graph");
}

// A ring of six routers with a chord.
Topology ring_with_chord() {
    return topology_of_dot("graph { a -- b; b -- c; c -- d; d -- e; e -- f; f -- a; b -- e; }");
}

struct RoutedCase {
    const char* name;
    Topology (*make)();
    std::unique_ptr<Routing> (*route)(const Topology& topology);
    bool is_minimal;
};
void PrintTo(const RoutedCase& routed, std::ostream* out) { *out << routed.name; }

class EveryRouting : public ::testing::TestWithParam<RoutedCase> {
  public:
    const Topology topology = GetParam().make();
    const std::unique_ptr<Routing> routing = GetParam().route(topology);
    const ChannelIndex channels{topology};

    // Lengths of all routes between the two nodes, in hops.
    std::set<std::int32_t> hops_of_all_ways(std::size_t sender, std::size_t receiver) {
        std::set<std::int32_t> found;
        const std::size_t lots = routing->lots_between(sender, receiver);
        for (std::size_t number = 0; number < lots; ++number) {
            const int lot = routing->lot_between(sender, receiver, number);
            EXPECT_LT(lot, routing->lots());
            found.merge(hops_of_ways(sender, receiver, lot));
        }
        return found;
    }
    // Lengths of the routes of a lot. Fails the test if a route ends at no node or at another node.
    std::set<std::int32_t> hops_of_ways(std::size_t sender, std::size_t receiver, int lot) {
        const TopologyGraph& graph = topology.graph();
        std::set<std::int32_t> found;
        struct Header {
            std::size_t channel;
            int virtual_channel;
            std::int32_t hops;
            bool operator<(const Header& other) const {
                return std::tie(channel, virtual_channel, hops) <
                       std::tie(other.channel, other.virtual_channel, other.hops);
            }
        };
        std::vector<Header> headers;
        std::set<Header> seen;
        const auto take = [&](std::size_t channel, int virtual_channel, std::int32_t hops) {
            const Header header{channel, virtual_channel,
                                hops + (topology.is_hop(channels.channel(channel)) ? 1 : 0)};
            if (seen.insert(header).second) {
                headers.push_back(header);
            }
        };
        take(channels.at_output(topology.vertex_of_node(sender), 0), 0, 0);
        while (!headers.empty()) {
            const Header header = headers.back();
            headers.pop_back();
            const Channel channel = channels.channel(header.channel);
            if (topology.is_ejection(channel)) {
                EXPECT_EQ(target(channel, graph), topology.vertex_of_node(receiver));
                found.insert(header.hops);
                continue;
            }
            const auto outputs = routing->outputs(
                {target(channel, graph), graph[channel].input_port, header.virtual_channel, lot},
                receiver);
            EXPECT_FALSE(outputs.empty()) << "stuck behind " << topology.channel_name(channel);
            if (header.hops > 2 * static_cast<std::int32_t>(topology.switch_count()) + 2) {
                ADD_FAILURE() << "a way without an end";
                break;
            }
            for (const RoutedOutput& output : outputs) {
                EXPECT_LT(output.virtual_channel, routing->virtual_channels());
                take(channels.at_output(target(channel, graph), output.port),
                     output.virtual_channel, header.hops);
            }
        }
        return found;
    }
};

TEST_P(EveryRouting, DeliversEveryPair) {
    bool has_unequal = false;
    for (std::size_t sender = 0; sender < topology.node_count(); ++sender) {
        const std::vector<std::int32_t> shortest = hops_from(topology, sender);
        for (std::size_t receiver = 0; receiver < topology.node_count(); ++receiver) {
            if (receiver == sender) {
                const std::size_t own = topology.switch_of_node(sender);
                ASSERT_EQ(routing->hops_to(own, sender).value_or(0), 0);
                continue;
            }
            const std::set<std::int32_t> hops = hops_of_all_ways(sender, receiver);
            ASSERT_FALSE(hops.empty()) << sender << " to " << receiver;
            has_unequal = has_unequal || hops.size() > 1;
            if (GetParam().is_minimal) {
                ASSERT_EQ(*hops.begin(), shortest[receiver]) << sender << " to " << receiver;
            } else {
                ASSERT_GE(*hops.begin(), shortest[receiver]);
            }
            const auto told = routing->hops_to(topology.switch_of_node(sender), receiver);
            ASSERT_EQ(told.has_value(), topology.lattice() && GetParam().is_minimal);
            ASSERT_EQ(told.value_or(*hops.begin()), *hops.begin()) << sender << " to " << receiver;
        }
    }
    EXPECT_EQ(has_unequal, !routing->has_equal_routes());
}

TEST_P(EveryRouting, IsProvedFreeOfDeadlock) {
    const ChannelDependencies dependencies(*routing);
    EXPECT_GT(dependencies.dependency_count(), 0U);
    EXPECT_TRUE(dependencies.is_acyclic());
    EXPECT_THAT(dependencies.cycle(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Topologies, EveryRouting,
    ::testing::Values(
        RoutedCase{"mesh, x first",
                   [] {
                       return mesh_topology({5, 3});
                   },
                   [](const Topology& mesh) {
                       return dimension_order_routing(mesh, {0, 1});
                   },
                   true},
        RoutedCase{"mesh, y first",
                   [] {
                       return mesh_topology({5, 3});
                   },
                   [](const Topology& mesh) {
                       return dimension_order_routing(mesh, {1, 0});
                   },
                   true},
        RoutedCase{"mesh, z x y",
                   [] {
                       return mesh_topology({3, 2, 4});
                   },
                   [](const Topology& mesh) {
                       return dimension_order_routing(mesh, {2, 0, 1});
                   },
                   true},
        RoutedCase{"torus 5 x 4",
                   [] {
                       return torus_topology({5, 4});
                   },
                   [](const Topology& torus) {
                       return torus_dimension_order_routing(torus, {0, 1});
                   },
                   true},
        RoutedCase{"torus 3 x 2 x 6, z first",
                   [] {
                       return torus_topology({3, 2, 6});
                   },
                   [](const Topology& torus) {
                       return torus_dimension_order_routing(torus, {2, 1, 0});
                   },
                   true},
        RoutedCase{"ring of 8", [] { return torus_topology({8}); },
                   [](const Topology& torus) { return torus_dimension_order_routing(torus, {0}); },
                   true},
        RoutedCase{
            "torus, balanced",
            [] {
                return torus_topology({6, 5});
            },
            [](const Topology& torus) {
                return torus_dimension_order_routing(torus, {0, 1}, {RingClasses::kBalanced});
            },
            true},
        RoutedCase{"hypercube", [] { return hypercube_topology(5); }, e_cube_routing, true},
        RoutedCase{"2-ary 4-fly", [] { return butterfly_topology(2, 4); }, destination_tag_routing,
                   true},
        RoutedCase{"4-ary 2-fly", [] { return butterfly_topology(4, 2); }, destination_tag_routing,
                   true},
        RoutedCase{"4-ary tree of 64", [] { return fat_tree_topology(4, 64); }, up_down_routing,
                   true},
        RoutedCase{"thin tree of 64", [] { return fat_tree_topology(4, 64, {2}); }, up_down_routing,
                   true},
        RoutedCase{"3-ary tree of 10", [] { return fat_tree_topology(3, 10); }, up_down_routing,
                   true},
        RoutedCase{"mesh, adaptive",
                   [] {
                       return mesh_topology({4, 3});
                   },
                   [](const Topology& mesh) {
                       return minimal_adaptive_routing(dimension_order_routing(mesh, {0, 1}), 3);
                   },
                   true},
        RoutedCase{"torus, adaptive",
                   [] {
                       return torus_topology({4, 5});
                   },
                   [](const Topology& torus) {
                       return minimal_adaptive_routing(
                           torus_dimension_order_routing(torus, {1, 0}, {RingClasses::kDateline}),
                           3);
                   },
                   true},
        RoutedCase{"hypercube, adaptive", [] { return hypercube_topology(4); },
                   [](const Topology& hypercube) {
                       return minimal_adaptive_routing(e_cube_routing(hypercube), 2);
                   },
                   true},
        RoutedCase{"torus, ties upwards",
                   [] {
                       return torus_topology({6, 4});
                   },
                   [](const Topology& torus) {
                       return torus_dimension_order_routing(
                           torus, {0, 1}, {RingClasses::kCrossing, RingTies::kUp});
                   },
                   true},
        RoutedCase{"torus, ties by lot",
                   [] {
                       return torus_topology({6, 4});
                   },
                   [](const Topology& torus) {
                       return torus_dimension_order_routing(
                           torus, {0, 1}, {RingClasses::kDateline, RingTies::kLot});
                   },
                   true},
        RoutedCase{"torus, four virtual channels",
                   [] {
                       return torus_topology({4, 4});
                   },
                   [](const Topology& torus) {
                       return spread_over(torus_dimension_order_routing(torus, {0, 1}), 4);
                   },
                   true},
        RoutedCase{"dragonfly",
                   [] {
                       return dragonfly_topology({2, 4, 9});
                   },
                   [](const Topology& dragonfly) { return dragonfly_minimal_routing(dragonfly); },
                   false},
        RoutedCase{"west first",
                   [] {
                       return mesh_topology({5, 4});
                   },
                   west_first_routing, true},
        RoutedCase{"north last",
                   [] {
                       return mesh_topology({5, 4});
                   },
                   north_last_routing, true},
        RoutedCase{"negative first",
                   [] {
                       return mesh_topology({5, 4});
                   },
                   negative_first_routing, true},
        RoutedCase{"odd-even",
                   [] {
                       return mesh_topology({6, 5});
                   },
                   odd_even_routing, true},
        RoutedCase{"odd-even, two virtual channels",
                   [] {
                       return mesh_topology({5, 4});
                   },
                   [](const Topology& mesh) { return spread_over(odd_even_routing(mesh), 2); },
                   true},
        RoutedCase{"O1TURN",
                   [] {
                       return mesh_topology({5, 4});
                   },
                   [](const Topology& mesh) { return o1turn_routing(mesh); }, true},
        RoutedCase{"ROMM",
                   [] {
                       return mesh_topology({4, 3, 2});
                   },
                   [](const Topology& mesh) {
                       return romm_routing(dimension_order_routing(mesh, {1, 0, 2}));
                   },
                   true},
        RoutedCase{"Valiant on a mesh",
                   [] {
                       return mesh_topology({4, 3});
                   },
                   [](const Topology& mesh) {
                       return valiant_routing(dimension_order_routing(mesh, {0, 1}));
                   },
                   false},
        RoutedCase{"Valiant on a torus, balanced",
                   [] {
                       return torus_topology({4, 5});
                   },
                   [](const Topology& torus) {
                       return valiant_routing(
                           torus_dimension_order_routing(torus, {0, 1}, {RingClasses::kBalanced}));
                   },
                   false},
        RoutedCase{"Valiant on a torus, eight virtual channels",
                   [] {
                       return torus_topology({3, 4});
                   },
                   [](const Topology& torus) {
                       return spread_over(
                           valiant_routing(torus_dimension_order_routing(torus, {1, 0})), 8);
                   },
                   false},
        RoutedCase{"Valiant on a dragonfly",
                   [] {
                       return dragonfly_topology({2, 2, 4});
                   },
                   [](const Topology& dragonfly) {
                       return valiant_routing(dragonfly_minimal_routing(dragonfly));
                   },
                   false},
        RoutedCase{"planar adaptive",
                   [] {
                       return mesh_topology({4, 4});
                   },
                   planar_adaptive_routing, true},
        RoutedCase{"planar adaptive, four dimensions",
                   [] {
                       return mesh_topology({3, 2, 3, 2});
                   },
                   planar_adaptive_routing, true},
        RoutedCase{"tree of 64, random way up", [] { return fat_tree_topology(4, 64); },
                   random_up_routing, true},
        RoutedCase{"thin tree of 40, random way up",
                   [] {
                       return fat_tree_topology(3, 40, {2, 3, 1});
                   },
                   random_up_routing, true},
        RoutedCase{"dragonfly, UGAL",
                   [] {
                       return dragonfly_topology({2, 3, 7});
                   },
                   [](const Topology& dragonfly) {
                       return ugal_routing(dragonfly);
                   },
                   false},
        RoutedCase{"concentrated mesh",
                   [] {
                       return concentrated_mesh_topology(2, {4, 3});
                   },
                   router_grid_routing, true},
        RoutedCase{"flattened butterfly",
                   [] {
                       return flattened_butterfly_topology(3, {4, 4});
                   },
                   router_grid_routing, true},
        RoutedCase{"HyperX",
                   [] {
                       return hyperx_topology(2, {3, 2, 4});
                   },
                   router_grid_routing, true},
        RoutedCase{"Valiant on a HyperX",
                   [] {
                       return hyperx_topology(2, {3, 4});
                   },
                   [](const Topology& grid) { return valiant_routing(router_grid_routing(grid)); },
                   false},
        RoutedCase{"slim fly of 5", [] { return slim_fly_topology(2, 5); },
                   [](const Topology& slim_fly) { return slim_fly_minimal_routing(slim_fly); },
                   true},
        RoutedCase{"slim fly of 4", [] { return slim_fly_topology(1, 4); },
                   [](const Topology& slim_fly) { return slim_fly_minimal_routing(slim_fly); },
                   true},
        RoutedCase{"graph", ring_with_chord, up_down_routing, false},
        RoutedCase{"torus, up/down",
                   [] {
                       return torus_topology({4, 4});
                   },
                   up_down_routing, false},
        RoutedCase{"switches and nodes",
                   [] {
                       return topology_of_dot(R"(graph { s [kind=switch]; t [kind=switch];
                           u [kind=switch]; a [kind="node"]; b [kind="node"]; c [kind="node"];
                           a -- s; b -- t; c -- u; s -- t; t -- u; u -- s; })");
                   },
                   up_down_routing, true}));

// A node's channels have names with and without a virtual channel, all of which mean its first one.
TEST(ChannelDependenciesTest, VerticesHaveNames) {
    const Topology ring = torus_topology({5});
    const auto routing = torus_dimension_order_routing(ring, {0});
    ASSERT_EQ(routing->virtual_channels(), 2);
    const ChannelDependencies dependencies(*routing);
    const auto vertices = dependencies.vertices_by_name();
    const std::string ejection = "(3) ejection";
    for (const std::string& name : {ejection, ejection + " virtual channel 1"}) {
        EXPECT_THAT(dependencies.name(vertices.at(name)), Names(ejection, "channel 0"));
    }
    const std::string hop = "(3) +x virtual channel 1";
    EXPECT_EQ(dependencies.name(vertices.at(hop)), hop);
}

// Planted fault: escape channels that deadlock among themselves.
TEST(ChannelDependenciesTest, AdaptiveRoutingIsAsGoodAsItsEscapes) {
    const Topology torus = torus_topology({4, 4});
    const auto routing = minimal_adaptive_routing(
        torus_dimension_order_routing(torus, {0, 1}, {RingClasses::kNone, RingTies::kUp}), 2);
    const ChannelDependencies dependencies(*routing);
    EXPECT_FALSE(dependencies.is_acyclic());
    EXPECT_EQ(dependencies.cycle().size(), 4U);
    EXPECT_EQ(dependencies.stuck_at(), "");
}

// Virtual channel 0 is the escape channel, which goes along x first. A message that arrives on it
// from (0,0) stays in it; a message that the node injects need not.
TEST(AdaptiveRoutingTest, WhatMayNotLeaveEscapesStaysInThem) {
    const Topology mesh = mesh_topology({3, 3});
    const auto routing =
        minimal_adaptive_routing(dimension_order_routing(mesh, {0, 1}), 2, {.may_leave = false});
    const RoutedOutput escape{0, 0, true};
    const std::vector<RoutedOutput> all{escape, {0, 1}, {2, 1}};
    constexpr int kFromTheWest = 1;
    constexpr int kFromTheNode = 4;
    EXPECT_TRUE(routing->looks_at_input());
    EXPECT_EQ(routing->outputs({1, kFromTheWest, 0}, 8), std::vector{escape});
    EXPECT_EQ(routing->outputs({1, kFromTheWest, 1}, 8), all);
    EXPECT_EQ(routing->outputs({1, kFromTheNode, 0}, 8), all);
    const auto leaving = minimal_adaptive_routing(dimension_order_routing(mesh, {0, 1}), 2);
    EXPECT_EQ(leaving->outputs({1, kFromTheWest, 0}, 8), all);
}

// Reference: all dependencies between escape channels, found by following each message to each node
// after each escape channel.
class AllDependencies {
  public:
    enum class Of : std::uint8_t { kDirect, kAlsoAfterOtherChannels };
    AllDependencies(const Routing& routing, Of of)
        : routing_(routing), channels_(routing.topology()), of_(of) {
        for (std::size_t node = 0; node < routing.topology().node_count(); ++node) {
            add_all(node);
        }
    }

    [[nodiscard]] std::size_t count() const { return dependencies_.size(); }
    [[nodiscard]] bool have_a_cycle() const {
        return testing::has_circle(dependencies_, channels_.count() * vcs());
    }

  private:
    using Asked = std::vector<std::pair<std::size_t, bool>>;  // a virtual channel, and whether it
                                                              // is an escape

    [[nodiscard]] std::size_t vcs() const {
        return static_cast<std::size_t>(routing_.virtual_channels());
    }
    [[nodiscard]] Asked asked_behind(std::size_t holding, std::size_t node) const {
        const TopologyGraph& graph = routing_.topology().graph();
        const Channel channel = channels_.channel(holding / vcs());
        const std::size_t vertex = target(channel, graph);
        Asked asked;
        if (routing_.topology().is_ejection(channel)) {
            return asked;
        }
        for (const RoutedOutput& output : routing_.outputs(
                 {vertex, graph[channel].input_port, static_cast<int>(holding % vcs())}, node)) {
            asked.emplace_back(channels_.at_output(vertex, output.port) * vcs() +
                                   static_cast<std::size_t>(output.virtual_channel),
                               output.is_escape);
        }
        return asked;
    }
    void add_all(std::size_t node) {
        const Topology& topology = routing_.topology();
        std::set<std::size_t> reached;
        std::set<std::size_t> escapes;
        std::vector<std::size_t> left;
        for (std::size_t number = 0; number < channels_.count(); ++number) {
            const Channel channel = channels_.channel(number);
            if (topology.is_injection(channel) &&
                source(channel, topology.graph()) != topology.vertex_of_node(node)) {
                left.push_back(number * vcs());
            }
        }
        while (!left.empty()) {
            const std::size_t holding = left.back();
            left.pop_back();
            if (reached.insert(holding).second) {
                for (const auto& [asked, is_escape] : asked_behind(holding, node)) {
                    left.push_back(asked);
                    if (is_escape) {
                        escapes.insert(asked);
                    }
                }
            }
        }
        for (const std::size_t escape : escapes) {
            std::set<std::size_t> through{escape};
            left.assign(1, escape);
            while (!left.empty()) {
                const std::size_t holding = left.back();
                left.pop_back();
                for (const auto& [asked, is_escape] : asked_behind(holding, node)) {
                    if (is_escape) {
                        dependencies_.emplace(escape, asked);
                    } else if (of_ == Of::kAlsoAfterOtherChannels && through.insert(asked).second) {
                        left.push_back(asked);
                    }
                }
            }
        }
    }

    const Routing& routing_;
    ChannelIndex channels_;
    Of of_;
    std::set<std::pair<std::size_t, std::size_t>> dependencies_;
};

// Random routing, drawn from a seed. Virtual channel 0 is an escape channel on one shortest path.
// Virtual channel 1 offers all shortest paths and, if messages may turn back, sometimes a longer
// one.
class EscapesByLot final : public Routing {
  public:
    EscapesByLot(const Topology& lattice, std::uint64_t seed, bool may_turn_back)
        : Routing(lattice), seed_(seed), may_turn_back_(may_turn_back) {
        for (std::size_t node = 0; node < lattice.node_count(); ++node) {
            hops_to_.push_back(hops_from(lattice, node));
        }
    }
    [[nodiscard]] int virtual_channels() const override { return 2; }
    [[nodiscard]] bool looks_at_input() const override { return false; }
    [[nodiscard]] bool has_escape() const override { return true; }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        const TopologyGraph& graph = topology().graph();
        std::vector<int> shortest;
        std::vector<int> others;
        for (const Channel channel : boost::make_iterator_range(out_edges(place.vertex, graph))) {
            const std::size_t next = target(channel, graph);
            if (topology().is_node(next)) {
                if (place.vertex == destination) {
                    outputs.push_back({graph[channel].output_port, 0});
                    return;
                }
                continue;
            }
            const bool is_shorter =
                hops_to_[destination][next] < hops_to_[destination][place.vertex];
            (is_shorter ? shortest : others).push_back(graph[channel].output_port);
        }
        hw::RandomStream lots(seed_, hw::NodeId(static_cast<std::int32_t>(place.vertex)),
                              "to " + std::to_string(destination));
        outputs.push_back({shortest[lots.below(shortest.size())], 0, true});
        for (const int port : shortest) {
            outputs.push_back({port, 1});
        }
        if (may_turn_back_ && !others.empty() && lots.below(4) == 0) {
            outputs.push_back({others[lots.below(others.size())], 1});
        }
    }

  private:
    std::uint64_t seed_;
    bool may_turn_back_;
    std::vector<std::vector<std::int32_t>> hops_to_;
};

// Wraps a routing: has its outputs and virtual channels, but Routing's defaults for all other
// functions.
class WrappedRouting : public Routing {
  public:
    explicit WrappedRouting(std::unique_ptr<Routing> routing)
        : Routing(routing->topology()), routing_(std::move(routing)) {}
    [[nodiscard]] int virtual_channels() const override { return routing_->virtual_channels(); }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        routing_->add_outputs(place, destination, outputs);
    }

  protected:
    [[nodiscard]] const Routing& wrapped() const { return *routing_; }

  private:
    std::unique_ptr<Routing> routing_;
};

// The graph need not have all dependencies, but has a cycle if and only if all of them together
// have one.
TEST(ChannelDependenciesTest, EscapesHaveACycleWhereAllTheirDependenciesHaveOne) {
    using Of = AllDependencies::Of;
    int without_a_cycle = 0;
    int with_indirect_ones_alone = 0;
    for (const std::vector<std::int32_t>& extents :
         {std::vector<std::int32_t>{3, 2}, {3, 3}, {4, 2}, {2, 2, 2}}) {
        const Topology mesh = mesh_topology(extents);
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            const EscapesByLot routing(mesh, seed, seed % 2 == 0);
            const AllDependencies all(routing, Of::kAlsoAfterOtherChannels);
            const ChannelDependencies dependencies(routing);
            ASSERT_EQ(dependencies.is_acyclic(), !all.have_a_cycle())
                << mesh.title() << " with seed " << seed;
            without_a_cycle += all.have_a_cycle() ? 0 : 1;
            with_indirect_ones_alone +=
                all.have_a_cycle() && !AllDependencies(routing, Of::kDirect).have_a_cycle();
        }
    }
    EXPECT_GT(without_a_cycle, 0);
    EXPECT_GT(with_indirect_ones_alone, 0);
}

// Results computed once per destination class equal those computed for each destination.
TEST(ChannelDependenciesTest, AreTheSameWhereSwitchesTellEachDestinationApart) {
    class EachApart final : public WrappedRouting {
      public:
        using WrappedRouting::WrappedRouting;
        [[nodiscard]] int lots() const override { return wrapped().lots(); }
        [[nodiscard]] bool looks_at_input() const override { return wrapped().looks_at_input(); }
        [[nodiscard]] bool has_escape() const override { return wrapped().has_escape(); }
    };
    const Topology torus = torus_topology({12, 10});
    const Topology mesh = mesh_topology({19, 18});
    const Topology tree = fat_tree_topology(4, 64);
    const Topology butterfly = butterfly_topology(2, 6);
    std::vector<std::unique_ptr<Routing>> routings;
    for (const RingClasses classes : {RingClasses::kNone, RingClasses::kBalanced}) {
        routings.push_back(torus_dimension_order_routing(torus, {0, 1}, {classes, RingTies::kLot}));
    }
    routings.push_back(minimal_adaptive_routing(dimension_order_routing(mesh, {0, 1}), 2));
    routings.push_back(spread_over(up_down_routing(tree), 2));
    routings.push_back(destination_tag_routing(butterfly));
    const Topology dragonfly = dragonfly_topology({2, 4, 9});
    routings.push_back(dragonfly_minimal_routing(dragonfly));
    for (std::unique_ptr<Routing>& routing : routings) {
        ASSERT_LE(4 * routing->destination_classes(0), routing->topology().node_count());
        const ChannelDependencies few(*routing);
        const EachApart each_apart(std::move(routing));
        const ChannelDependencies all(each_apart);
        EXPECT_GT(few.dependency_count(), 0U);
        EXPECT_EQ(few.dependency_count(), all.dependency_count()) << each_apart.topology().title();
        EXPECT_EQ(few.has_choice(), all.has_choice());
        EXPECT_EQ(few.is_acyclic(), all.is_acyclic());
        EXPECT_EQ(few.cycle(), all.cycle());
    }
}

// Composed of rings, the dependencies equal those of all routes.
TEST(ChannelDependenciesTest, OfDimensionOrderAreTheSameByRingsAndByRoutes) {
    class ByRoutes final : public WrappedRouting {
      public:
        using WrappedRouting::WrappedRouting;
        [[nodiscard]] int lots() const override { return wrapped().lots(); }
    };
    const auto expect_same = [](std::unique_ptr<Routing> routing, const std::string& name) {
        ASSERT_FALSE(routing->dimension_order().empty());
        const ChannelDependencies by_rings(*routing);
        const ByRoutes wrapped(std::move(routing));
        const ChannelDependencies by_routes(wrapped);
        EXPECT_EQ(by_rings.dependency_count(), by_routes.dependency_count()) << name;
        EXPECT_EQ(by_rings.has_choice(), by_routes.has_choice()) << name;
        EXPECT_EQ(by_rings.is_acyclic(), by_routes.is_acyclic()) << name;
        EXPECT_EQ(by_rings.cycle(), by_routes.cycle()) << name;
        const std::size_t vertices =
            channels_of(wrapped.topology().graph()).size() * wrapped.virtual_channels();
        std::size_t shared = 0;
        for (std::size_t from = 0; from < vertices; ++from) {
            for (std::size_t into = 0; into < vertices; ++into) {
                shared += by_rings.has(from, into) && by_routes.has(from, into) ? 1 : 0;
            }
        }
        EXPECT_EQ(shared, by_routes.dependency_count()) << name;
    };
    for (const std::vector<std::int32_t>& extents : {std::vector<std::int32_t>{1},
                                                     {2},
                                                     {5},
                                                     {6},
                                                     {1, 4},
                                                     {2, 2},
                                                     {3, 4},
                                                     {5, 2},
                                                     {2, 3, 4},
                                                     {3, 1, 5}}) {
        std::vector<std::size_t> order(extents.size());
        std::iota(order.begin(), order.end(), 0U);
        do {
            const Topology mesh = mesh_topology(extents);
            expect_same(dimension_order_routing(mesh, order), mesh.title());
            expect_same(spread_over(dimension_order_routing(mesh, order), 2), mesh.title());
            const Topology torus = torus_topology(extents);
            for (const RingClasses classes : {RingClasses::kNone, RingClasses::kDateline,
                                              RingClasses::kCrossing, RingClasses::kBalanced}) {
                for (const RingTies ties : {RingTies::kUp, RingTies::kParity, RingTies::kLot}) {
                    expect_same(torus_dimension_order_routing(torus, order, {classes, ties}),
                                torus.title());
                }
            }
            expect_same(spread_over(torus_dimension_order_routing(torus, order), 4), torus.title());
        } while (std::next_permutation(order.begin(), order.end()));
    }
}

// The full set of dependencies would have more edges per router in a larger network.
TEST(ChannelDependenciesTest, EscapesOfALargeNetworkHaveFewEdges) {
    const Topology mesh = mesh_topology({12, 12});
    const auto routing = minimal_adaptive_routing(dimension_order_routing(mesh, {0, 1}), 3);
    const ChannelDependencies dependencies(*routing);
    EXPECT_TRUE(dependencies.is_acyclic());
    EXPECT_EQ(dependencies.stuck_at(), "");
    EXPECT_LT(dependencies.dependency_count(), 4U * 4 * 12 * 12);
    const Topology small = mesh_topology({5, 5});
    const auto on_small = minimal_adaptive_routing(dimension_order_routing(small, {0, 1}), 2);
    EXPECT_GT(AllDependencies(*on_small, AllDependencies::Of::kAlsoAfterOtherChannels).count(),
              4U * 4 * 5 * 5);
}

// Messages that stay in escape channels depend on the next escape channel only, as without any
// other channels.
TEST(ChannelDependenciesTest, EscapesThatMessagesStayInHaveDirectDependenciesAlone) {
    const Topology mesh = mesh_topology({4, 4});
    const auto x_first = [&mesh] { return dimension_order_routing(mesh, {0, 1}); };
    const auto stay = minimal_adaptive_routing(x_first(), 2, {.may_leave = false});
    const ChannelDependencies dependencies(*stay);
    EXPECT_TRUE(dependencies.is_acyclic());
    EXPECT_EQ(dependencies.stuck_at(), "");
    using Of = AllDependencies::Of;
    EXPECT_EQ(AllDependencies(*stay, Of::kAlsoAfterOtherChannels).count(),
              AllDependencies(*stay, Of::kDirect).count());
    const auto leave = minimal_adaptive_routing(x_first(), 2);
    EXPECT_GT(AllDependencies(*leave, Of::kAlsoAfterOtherChannels).count(),
              AllDependencies(*leave, Of::kDirect).count());
}

// If a message may wait in a buffer behind another one, there are cycles even if messages stay in
// escape channels.
TEST(ChannelDependenciesTest, EscapesProveNothingWhereMessagesShareBuffers) {
    const Topology mesh = mesh_topology({4, 4});
    for (const bool may_leave : {true, false}) {
        const auto routing =
            minimal_adaptive_routing(dimension_order_routing(mesh, {0, 1}), 2,
                                     {.may_leave = may_leave, .share_buffers = true});
        EXPECT_FALSE(ChannelDependencies(*routing).is_acyclic());
    }
    const Topology row = mesh_topology({4});
    const auto on_a_row =
        minimal_adaptive_routing(dimension_order_routing(row, {0}), 2, {.share_buffers = true});
    EXPECT_TRUE(ChannelDependencies(*on_a_row).is_acyclic()) << "has no circle at all";
}

// Without escape channels, the same mesh's adaptive channels have cycles: the proof does not pass
// for lack of edges.
TEST(ChannelDependenciesTest, WithoutEscapesTheSameWaysHaveCycles) {
    const Topology mesh = mesh_topology({3, 3});
    const WrappedRouting routing(
        minimal_adaptive_routing(dimension_order_routing(mesh, {0, 1}), 2));
    EXPECT_FALSE(ChannelDependencies(routing).is_acyclic());
}

// Planted fault: escape channels that are missing at some places.
TEST(ChannelDependenciesTest, EscapesMustLeadToEveryDestination) {
    class WithoutEscapeToNode0 final : public WrappedRouting {
      public:
        using WrappedRouting::WrappedRouting;
        [[nodiscard]] bool has_escape() const override { return true; }
        void add_outputs(const HeaderPlace& place, std::size_t destination,
                         std::vector<RoutedOutput>& outputs) const override {
            for (RoutedOutput output : wrapped().outputs(place, destination)) {
                output.is_escape = output.is_escape && destination != 0;
                outputs.push_back(output);
            }
        }
    };
    const Topology mesh = mesh_topology({3, 3});
    const WithoutEscapeToNode0 routing(
        minimal_adaptive_routing(dimension_order_routing(mesh, {0, 1}), 2));
    EXPECT_THAT(ChannelDependencies(routing).stuck_at(), ::testing::EndsWith(" node 0"));
}

// Dependencies at each router:
// - An injection depends on each channel to a neighbour.
// - A channel along x depends on the next channel along x, on both along y and on the ejection.
// - A channel along y depends on the next one and on the ejection.
TEST(ChannelDependenciesTest, AMeshHasAsManyDependenciesAsInClosedForm) {
    for (const std::int32_t k : {2, 3, 8, 32}) {
        const Topology mesh = mesh_topology({k, k});
        const auto routing = dimension_order_routing(mesh, {0, 1});
        const std::int32_t to_neighbours = 4 * k * (k - 1);
        const std::int32_t straight_on = 4 * k * (k - 2);
        const std::int32_t turns = 4 * (k - 1) * (k - 1);
        const std::int32_t to_nodes = 4 * k * (k - 1);
        EXPECT_EQ(ChannelDependencies(*routing).dependency_count(),
                  static_cast<std::size_t>(to_neighbours + straight_on + turns + to_nodes))
            << k;
    }
}

// Planted deadlock: a ring whose four upward channels wait for each other.
TEST(ChannelDependenciesTest, ATorusWithoutDatelinesHasACycle) {
    const Topology ring = torus_topology({4});
    const auto routing =
        torus_dimension_order_routing(ring, {0}, {RingClasses::kNone, RingTies::kUp});
    const ChannelDependencies dependencies(*routing);
    EXPECT_FALSE(dependencies.is_acyclic());
    EXPECT_THAT(dependencies.cycle(), ElementsAre("(1) +x", "(2) +x", "(3) +x", "(0) +x"));
}

TEST(ChannelDependenciesTest, TheCycleOfATorusIsARingOfOneDimension) {
    const Topology torus = torus_topology({5, 4});
    const auto routing =
        torus_dimension_order_routing(torus, {0, 1}, {RingClasses::kNone, RingTies::kUp});
    const ChannelDependencies dependencies(*routing);
    EXPECT_FALSE(dependencies.is_acyclic());
    const std::vector<std::string> cycle = dependencies.cycle();
    std::set<std::string> directions;
    for (const std::string& channel : cycle) {
        directions.insert(channel.substr(channel.find(' ')));
    }
    EXPECT_EQ(directions.size(), 1U);
    EXPECT_TRUE(cycle.size() == 5 || cycle.size() == 4) << cycle.size();
}

// Routes have at most one hop, so no channel of the ring depends on another one.
TEST(ChannelDependenciesTest, ARingOfThreeHasNoCycleWithoutDatelines) {
    const Topology ring = torus_topology({3});
    const auto routing =
        torus_dimension_order_routing(ring, {0}, {RingClasses::kNone, RingTies::kUp});
    EXPECT_TRUE(ChannelDependencies(*routing).is_acyclic());
}

// A mesh whose messages choose between x and y at every router. Its dependency graph has a cycle,
// which the condition of Dally and Seitz forbids.
class FullyAdaptive final : public Routing {
  public:
    using Routing::Routing;
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        const auto& here = topology().graph()[place.vertex].coordinates;
        const auto& there = topology().graph()[destination].coordinates;
        for (std::size_t d = 0; d < here.size(); ++d) {
            if (here[d] != there[d]) {
                outputs.push_back({2 * static_cast<int>(d) + (there[d] > here[d] ? 0 : 1), 0});
            }
        }
        if (here == there) {
            outputs.push_back({4, 0});
        }
    }
};

TEST(ChannelDependenciesTest, ChoiceOnOneVirtualChannelHasACycle) {
    const Topology mesh = mesh_topology({2, 2});
    const FullyAdaptive routing(mesh);
    const ChannelDependencies dependencies(routing);
    EXPECT_FALSE(dependencies.is_acyclic());
    EXPECT_EQ(dependencies.cycle().size(), 4U) << "around the square";
}

// A ring of eight routers. Headers arrive at `here` from the node, or on a virtual channel of the
// ring at the port for upward messages.
class RingRulesTest : public ::testing::Test {
  protected:
    static constexpr int kFromNode = 2;
    static constexpr int kGoingUp = 1;

    std::vector<RoutedOutput> outputs(RingRules rules, HeaderPlace place, std::size_t destination) {
        return torus_dimension_order_routing(ring_, {0}, rules)->outputs(place, destination);
    }
    const Topology ring_ = torus_topology({8});
};

TEST_F(RingRulesTest, ADatelineChangesTheVirtualChannelBehindTheEnd) {
    const RingRules rules{RingClasses::kDateline, RingTies::kUp};
    const auto output = [&](std::size_t here, std::size_t destination) {
        return outputs(rules, {here, kFromNode, 0}, destination);
    };
    EXPECT_THAT(output(6, 1), ElementsAre(RoutedOutput{0, 0})) << "has yet to go around";
    EXPECT_THAT(output(7, 1), ElementsAre(RoutedOutput{0, 0})) << "goes around";
    EXPECT_THAT(output(0, 1), ElementsAre(RoutedOutput{0, 1})) << "has gone around";
    EXPECT_THAT(output(2, 6), ElementsAre(RoutedOutput{0, 1})) << "need not; as long both ways";
    EXPECT_THAT(output(1, 6), ElementsAre(RoutedOutput{1, 0})) << "down around the end";
    EXPECT_THAT(output(1, 1), ElementsAre(RoutedOutput{2, 0})) << "there";
}

TEST_F(RingRulesTest, CrossingKeepsTheClassAllTheWay) {
    const RingRules rules{RingClasses::kCrossing, RingTies::kUp};
    EXPECT_THAT(outputs(rules, {6, kFromNode, 0}, 1), ElementsAre(RoutedOutput{0, 1}));
    EXPECT_THAT(outputs(rules, {0, kGoingUp, 1}, 1), ElementsAre(RoutedOutput{0, 1}));
    EXPECT_THAT(outputs(rules, {0, kFromNode, 0}, 1), ElementsAre(RoutedOutput{0, 0}));
    EXPECT_THAT(outputs(rules, {0, kGoingUp, 0}, 1), ElementsAre(RoutedOutput{0, 0}));
    EXPECT_THAT(outputs(rules, {1, kFromNode, 0}, 6), ElementsAre(RoutedOutput{1, 1}));
}

TEST_F(RingRulesTest, BalancedLeavesTheChoiceToWhatGoesOverNeitherEndNorMiddle) {
    const RingRules rules{RingClasses::kBalanced, RingTies::kUp};
    EXPECT_THAT(outputs(rules, {6, kFromNode, 0}, 1), ElementsAre(RoutedOutput{0, 1})) << "end";
    EXPECT_THAT(outputs(rules, {3, kFromNode, 0}, 4), ElementsAre(RoutedOutput{0, 0})) << "middle";
    EXPECT_THAT(outputs(rules, {5, kFromNode, 0}, 3), ElementsAre(RoutedOutput{1, 0}))
        << "the middle, down";
    EXPECT_THAT(outputs(rules, {1, kFromNode, 0}, 3),
                ElementsAre(RoutedOutput{0, 0}, RoutedOutput{0, 1}));
    EXPECT_THAT(outputs(rules, {2, kGoingUp, 1}, 3), ElementsAre(RoutedOutput{0, 1})) << "keeps it";
}

TEST_F(RingRulesTest, TiesAreBrokenAsAskedFor) {
    const auto port = [&](RingTies ties, std::size_t here, int lot) {
        return outputs({RingClasses::kCrossing, ties}, {here, kFromNode, 0, lot}, (here + 4) % 8)
            .front()
            .port;
    };
    for (const std::size_t here : {0, 1, 5, 6}) {
        EXPECT_EQ(port(RingTies::kUp, here, 1), 0);
        EXPECT_EQ(port(RingTies::kParity, here, 0), here % 2 == 0 ? 0 : 1);
        EXPECT_EQ(port(RingTies::kLot, here, 0), 0);
        EXPECT_EQ(port(RingTies::kLot, here, 1), 1);
    }
}

// By parity each channel of a ring of four is either the first or the second of a route of two
// hops, never both.
TEST(ChannelDependenciesTest, ParityAloneKeepsARingOfFourFromDeadlock) {
    const Topology ring = torus_topology({4});
    const auto is_acyclic = [&](RingTies ties) {
        const auto routing = torus_dimension_order_routing(ring, {0}, {RingClasses::kNone, ties});
        return ChannelDependencies(*routing).is_acyclic();
    };
    EXPECT_TRUE(is_acyclic(RingTies::kParity));
    EXPECT_FALSE(is_acyclic(RingTies::kUp));
    EXPECT_FALSE(is_acyclic(RingTies::kLot)) << "whatever is drawn counts";
}

// Proves all rules for rings on all small tori, also with more virtual channels. The proof also
// tells if messages of a pair can overtake one another.
TEST(ChannelDependenciesTest, EveryRuleOfRingsIsProvedOnAllSmallTori) {
    std::vector<std::vector<std::int32_t>> tori;
    for (std::int32_t x = 2; x <= 9; ++x) {
        tori.push_back({x});
        for (std::int32_t y = 2; y <= x && x <= 6; ++y) {
            tori.push_back({x, y});
        }
    }
    tori.push_back({4, 3, 2});
    for (const auto& extents : tori) {
        const Topology torus = torus_topology(extents);
        std::vector<std::size_t> order(extents.size());
        std::iota(order.begin(), order.end(), 0U);
        for (const RingTies ties : {RingTies::kUp, RingTies::kParity, RingTies::kLot}) {
            for (const RingClasses classes :
                 {RingClasses::kDateline, RingClasses::kCrossing, RingClasses::kBalanced}) {
                const auto what = torus.title() + ", classes " +
                                  std::to_string(static_cast<int>(classes)) + ", ties " +
                                  std::to_string(static_cast<int>(ties));
                const auto route = [&] {
                    return torus_dimension_order_routing(torus, order, {classes, ties});
                };
                const auto routing = route();
                const ChannelDependencies dependencies(*routing);
                EXPECT_TRUE(dependencies.is_acyclic()) << what;
                const bool may_overtake =
                    ties == RingTies::kLot ||
                    (classes == RingClasses::kBalanced && extents != std::vector{2});
                if (extents.size() == 1 && extents[0] >= 5) {
                    EXPECT_EQ(dependencies.has_choice(), may_overtake) << what;
                }
                const auto spread = spread_over(route(), 4);
                const ChannelDependencies of_four(*spread);
                EXPECT_TRUE(of_four.is_acyclic()) << what;
                EXPECT_TRUE(of_four.has_choice()) << what;
            }
        }
    }
}

// Planted fault: a message that crosses neither end nor middle chooses its virtual channel anew at
// every hop.
TEST(ChannelDependenciesTest, ClassesChosenAnewAtEveryHopHaveACycle) {
    class Forgetful final : public WrappedRouting {
      public:
        using WrappedRouting::WrappedRouting;
        void add_outputs(const HeaderPlace& place, std::size_t destination,
                         std::vector<RoutedOutput>& outputs) const override {
            const int from_node = 2;
            wrapped().add_outputs({place.vertex, from_node, 0}, destination, outputs);
        }
    };
    const Topology ring = torus_topology({8});
    const Forgetful routing(torus_dimension_order_routing(ring, {0}, {RingClasses::kBalanced}));
    EXPECT_FALSE(ChannelDependencies(routing).is_acyclic());
}

// A turn model with the rule of Noxim's NEGATIVE_FIRST: messages to the north-east and to the
// south-west choose. All others go along x first.
class NegativeFirstOfNoxim final : public Routing {
  public:
    using Routing::Routing;
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        const auto& here = topology().graph()[place.vertex].coordinates;
        const auto& there = topology().graph()[destination].coordinates;
        const std::int32_t x = there[0] - here[0];
        const std::int32_t y = there[1] - here[1];
        const bool chooses = (x > 0 && y < 0) || (x < 0 && y > 0);
        if (x != 0) {
            outputs.push_back({x > 0 ? 0 : 1, 0});
        }
        if (y != 0 && (chooses || x == 0)) {
            outputs.push_back({y > 0 ? 2 : 3, 0});
        }
        if (x == 0 && y == 0) {
            outputs.push_back({4, 0});
        }
    }
};

TEST(TurnModelTest, TheTurnsOfNoximsNegativeFirstHaveACycle) {
    const Topology mesh = mesh_topology({3, 3});
    EXPECT_FALSE(ChannelDependencies(NegativeFirstOfNoxim(mesh)).is_acyclic());
    EXPECT_TRUE(ChannelDependencies(*negative_first_routing(mesh)).is_acyclic());
}

// Planted fault: messages to the east may also turn in even columns, which a routing allows that
// takes all messages to be at their source.
TEST(TurnModelTest, OddEvenWithATurnTooManyHasACycle) {
    class AlwaysAtTheSource final : public WrappedRouting {
      public:
        using WrappedRouting::WrappedRouting;
        void add_outputs(const HeaderPlace& place, std::size_t destination,
                         std::vector<RoutedOutput>& outputs) const override {
            const int from_node = 4;
            wrapped().add_outputs({place.vertex, from_node, 0}, destination, outputs);
        }
    };
    const Topology mesh = mesh_topology({4, 4});
    EXPECT_FALSE(ChannelDependencies(AlwaysAtTheSource(odd_even_routing(mesh))).is_acyclic());
}

// Ports of a mesh's router: 0 to the east, 1 west, 2 south, 3 north, 4 to the node.
std::vector<int> ports_of(const Routing& routing, std::size_t here, std::size_t destination,
                          int input_port = 4) {
    std::vector<int> ports;
    for (const RoutedOutput& output : routing.outputs({here, input_port, 0}, destination)) {
        ports.push_back(output.port);
    }
    return ports;
}

// On a mesh of 5 x 5, from (2,2), which is number 12, to its eight neighbours and the corners.
TEST(TurnModelTest, EachRuleAllowsItsDirections) {
    const Topology mesh = mesh_topology({5, 5});
    const std::size_t here = 12;
    const std::size_t north_west = 0;
    const std::size_t north_east = 4;
    const std::size_t south_west = 20;
    const std::size_t south_east = 24;
    const auto west = west_first_routing(mesh);
    EXPECT_THAT(ports_of(*west, here, north_west), ElementsAre(1));
    EXPECT_THAT(ports_of(*west, here, south_west), ElementsAre(1));
    EXPECT_THAT(ports_of(*west, here, north_east), ElementsAre(0, 3));
    EXPECT_THAT(ports_of(*west, here, south_east), ElementsAre(0, 2));
    const auto north = north_last_routing(mesh);
    EXPECT_THAT(ports_of(*north, here, north_west), ElementsAre(1));
    EXPECT_THAT(ports_of(*north, here, north_east), ElementsAre(0));
    EXPECT_THAT(ports_of(*north, here, south_west), ElementsAre(1, 2));
    EXPECT_THAT(ports_of(*north, here, 2), ElementsAre(3)) << "in its column";
    const auto negative = negative_first_routing(mesh);
    EXPECT_THAT(ports_of(*negative, here, north_west), ElementsAre(1, 3));
    EXPECT_THAT(ports_of(*negative, here, south_east), ElementsAre(0, 2));
    EXPECT_THAT(ports_of(*negative, here, north_east), ElementsAre(3));
    EXPECT_THAT(ports_of(*negative, here, south_west), ElementsAre(1));
    for (const Routing* routing : {west.get(), north.get(), negative.get()}) {
        EXPECT_THAT(ports_of(*routing, here, here), ElementsAre(4));
        EXPECT_TRUE(ChannelDependencies(*routing).has_choice()) << "messages may overtake";
    }
}

// Column 2 is even, column 1 odd.
TEST(TurnModelTest, OddEvenDependsOnTheColumnAndTheInput) {
    const Topology mesh = mesh_topology({5, 5});
    const auto routing = odd_even_routing(mesh);
    const int from_west = 1;
    EXPECT_THAT(ports_of(*routing, 12, 24), ElementsAre(0, 2)) << "at the source";
    EXPECT_THAT(ports_of(*routing, 12, 24, from_west), ElementsAre(0)) << "no turn here";
    EXPECT_THAT(ports_of(*routing, 11, 24, from_west), ElementsAre(0, 2));
    EXPECT_THAT(ports_of(*routing, 11, 22, from_west), ElementsAre(2)) << "the last odd column";
    EXPECT_THAT(ports_of(*routing, 12, 23, from_west), ElementsAre(0));
    EXPECT_THAT(ports_of(*routing, 12, 0), ElementsAre(1, 3));
    EXPECT_THAT(ports_of(*routing, 11, 0), ElementsAre(1)) << "no turn to the west later";
}

TEST(O1TurnTest, TheLotIsTheOrderAndTheVirtualChannel) {
    const Topology mesh = mesh_topology({3, 3});
    const auto routing = o1turn_routing(mesh);
    EXPECT_THAT(routing->outputs({0, 4, 0, 0}, 8), ElementsAre(RoutedOutput{0, 0}));
    EXPECT_THAT(routing->outputs({0, 4, 0, 1}, 8), ElementsAre(RoutedOutput{2, 1}));
    EXPECT_THAT(routing->outputs({8, 3, 1, 1}, 8), ElementsAre(RoutedOutput{4, 0}));
    EXPECT_TRUE(ChannelDependencies(*routing).has_choice());
    EXPECT_FALSE(ChannelDependencies(*o1turn_routing(mesh, 1)).is_acyclic());
}

// From (0,0) by (2,1), number 5, to (0,2), number 6.
TEST(TwoPhaseTest, TheSecondPhaseBeginsAtTheRandomNode) {
    const Topology mesh = mesh_topology({3, 3});
    const auto routing = valiant_routing(dimension_order_routing(mesh, {0, 1}));
    const auto next = [&](std::size_t here, int input_port, int vc) {
        return routing->outputs({here, input_port, vc, 5}, 6);
    };
    EXPECT_EQ(routing->lots_between(0, 6), 9U);
    EXPECT_THAT(next(0, 4, 0), ElementsAre(RoutedOutput{0, 0}));
    EXPECT_THAT(next(2, 1, 0), ElementsAre(RoutedOutput{2, 0}));
    EXPECT_THAT(next(5, 3, 0), ElementsAre(RoutedOutput{1, 1}));
    EXPECT_THAT(next(3, 0, 1), ElementsAre(RoutedOutput{2, 1}));
    EXPECT_THAT(next(6, 3, 1), ElementsAre(RoutedOutput{4, 0}));
    EXPECT_THAT(next(6, 0, 0), ElementsAre(RoutedOutput{0, 0})) << "through the destination first";
}

TEST(TwoPhaseTest, RommDrawsNodesOfTheBoxAlone) {
    const Topology mesh = mesh_topology({5, 4});
    const auto routing = romm_routing(dimension_order_routing(mesh, {0, 1}));
    std::set<int> lots;
    const std::size_t from = 13;  // (3,2)
    const std::size_t to = 6;     // (1,1)
    for (std::size_t number = 0; number < routing->lots_between(from, to); ++number) {
        lots.insert(routing->lot_between(from, to, number));
    }
    EXPECT_THAT(lots, ElementsAre(6, 7, 8, 11, 12, 13));
}

// Composed of two phases, the dependencies equal those of all routes.
TEST(ChannelDependenciesTest, OfTwoPhasesAreTheSameByPhasesAndByRoutes) {
    class ByRoutes final : public WrappedRouting {
      public:
        using WrappedRouting::WrappedRouting;
        [[nodiscard]] int lots() const override { return wrapped().lots(); }
    };
    const Topology mesh = mesh_topology({4, 3});
    const Topology torus = torus_topology({5, 4});
    const Topology dragonfly = dragonfly_topology({2, 2, 3});
    std::vector<std::unique_ptr<Routing>> routings;
    routings.push_back(valiant_routing(dimension_order_routing(mesh, {1, 0})));
    routings.push_back(valiant_routing(torus_dimension_order_routing(torus, {0, 1})));
    routings.push_back(valiant_routing(
        torus_dimension_order_routing(torus, {0, 1}, {RingClasses::kNone, RingTies::kUp})));
    routings.push_back(spread_over(valiant_routing(dimension_order_routing(mesh, {0, 1})), 4));
    routings.push_back(valiant_routing(dragonfly_minimal_routing(dragonfly)));
    for (std::unique_ptr<Routing>& routing : routings) {
        const std::string name = routing->topology().title();
        const ChannelDependencies by_phases(*routing);
        const ByRoutes wrapped(std::move(routing));
        const ChannelDependencies by_routes(wrapped);
        EXPECT_EQ(by_phases.dependency_count(), by_routes.dependency_count()) << name;
        EXPECT_EQ(by_phases.is_acyclic(), by_routes.is_acyclic()) << name;
        EXPECT_EQ(by_phases.cycle(), by_routes.cycle()) << name;
        EXPECT_TRUE(by_phases.has_choice());
    }
}

// Planted fault: both phases on the same virtual channel.
TEST(ChannelDependenciesTest, PhasesThatShareAVirtualChannelHaveACycle) {
    class OneChannel final : public WrappedRouting {
      public:
        using WrappedRouting::WrappedRouting;
        [[nodiscard]] int virtual_channels() const override { return 1; }
        [[nodiscard]] int lots() const override { return wrapped().lots(); }
        void add_outputs(const HeaderPlace& place, std::size_t destination,
                         std::vector<RoutedOutput>& outputs) const override {
            for (const int vc : {0, 1}) {
                for (const RoutedOutput& output : wrapped().outputs(
                         {place.vertex, place.input_port, vc, place.lot}, destination)) {
                    outputs.push_back({output.port, 0});
                }
            }
        }
    };
    const Topology mesh = mesh_topology({3, 3});
    const OneChannel routing(valiant_routing(dimension_order_routing(mesh, {0, 1})));
    EXPECT_FALSE(ChannelDependencies(routing).is_acyclic());
}

// Planted fault: all messages of a plane on the same virtual channel of its second dimension.
TEST(PlanarAdaptiveTest, WithoutClassesForItsDirectionsHasACycle) {
    class OneClass final : public WrappedRouting {
      public:
        using WrappedRouting::WrappedRouting;
        void add_outputs(const HeaderPlace& place, std::size_t destination,
                         std::vector<RoutedOutput>& outputs) const override {
            for (RoutedOutput output : wrapped().outputs(place, destination)) {
                output.virtual_channel = output.virtual_channel == 1 ? 0 : output.virtual_channel;
                outputs.push_back(output);
            }
        }
    };
    const Topology mesh = mesh_topology({4, 3});
    EXPECT_FALSE(ChannelDependencies(OneClass(planar_adaptive_routing(mesh))).is_acyclic());
}

TEST(PlanarAdaptiveTest, AMessageIsAdaptiveInAPlane) {
    const Topology mesh = mesh_topology({3, 3, 3});
    const auto routing = planar_adaptive_routing(mesh);
    const std::size_t middle = 13;
    const auto to = [&](std::size_t x, std::size_t y, std::size_t z) {
        return routing->outputs({middle, 6, 0}, x + 3 * y + 9 * z);
    };
    EXPECT_THAT(to(2, 0, 2), ElementsAre(RoutedOutput{0, 2}, RoutedOutput{3, 0}));
    EXPECT_THAT(to(0, 2, 2), ElementsAre(RoutedOutput{1, 2}, RoutedOutput{2, 1}));
    EXPECT_THAT(to(0, 1, 2), ElementsAre(RoutedOutput{1, 2})) << "z is in the next plane";
    EXPECT_THAT(to(1, 2, 0), ElementsAre(RoutedOutput{2, 2}, RoutedOutput{5, 0}));
    EXPECT_THAT(to(1, 1, 2), ElementsAre(RoutedOutput{4, 2}));
    EXPECT_THAT(to(1, 1, 1), ElementsAre(RoutedOutput{6, 0}));
}

// The dependencies of all lots together equal those of all ways up.
TEST(ChannelDependenciesTest, OfRandomWaysUpAreThoseOfEachLot) {
    class ByLots final : public WrappedRouting {
      public:
        using WrappedRouting::WrappedRouting;
        [[nodiscard]] int lots() const override { return wrapped().lots(); }
    };
    for (const std::vector<std::int64_t>& ups : {std::vector<std::int64_t>{}, {2, 1}}) {
        const Topology tree = fat_tree_topology(3, 20, ups);
        const auto routing = random_up_routing(tree);
        EXPECT_EQ(routing->lots(), ups.empty() ? 9 : 2);
        const ChannelDependencies together(*routing);
        const ByLots by_lots(random_up_routing(tree));
        const ChannelDependencies all(by_lots);
        EXPECT_EQ(together.dependency_count(), all.dependency_count());
        EXPECT_TRUE(together.has_choice());
        EXPECT_EQ(routing->outputs({0, 0, 0, 0}, 19).size(), 1U);
    }
}

// Planted fault: both hops of a slim fly on the same virtual channel.
TEST(SlimFlyRoutingTest, WithOneVirtualChannelHasACycle) {
    const Topology slim_fly = slim_fly_topology(1, 5);
    EXPECT_FALSE(ChannelDependencies(*slim_fly_minimal_routing(slim_fly, 1)).is_acyclic());
}

// A router's table has one entry per message class.
TEST_P(EveryRouting, MessagesOfAClassHaveTheSameOutputs) {
    const TopologyGraph& graph = topology.graph();
    const std::size_t nodes = topology.node_count();
    const int step = std::max(1, routing->lots() / 16);
    for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
        for (const Channel in : boost::make_iterator_range(in_edges(vertex, graph))) {
            for (int vc = 0; vc < routing->virtual_channels(); ++vc) {
                std::map<std::size_t, std::vector<RoutedOutput>> by_class;
                for (int lot = 0; lot < routing->lots(); lot += step) {
                    for (std::size_t node = 0; node < nodes; ++node) {
                        const auto outputs =
                            routing->outputs({vertex, graph[in].input_port, vc, lot}, node);
                        const std::size_t own = routing->message_class(vertex, node, lot);
                        ASSERT_LT(own, routing->message_classes(vertex));
                        ASSERT_EQ(by_class.try_emplace(own, outputs).first->second, outputs)
                            << node << ", lot " << lot;
                    }
                }
            }
        }
    }
}

void expect_same_outputs_by_class(const Routing& routing, const HeaderPlace& place) {
    std::map<std::size_t, std::vector<RoutedOutput>> by_class;
    for (std::size_t node = 0; node < routing.topology().node_count(); ++node) {
        const auto outputs = routing.outputs(place, node);
        const std::size_t destination_class = routing.destination_class(place.vertex, node);
        ASSERT_LT(destination_class, routing.destination_classes(place.vertex));
        ASSERT_EQ(by_class.try_emplace(destination_class, outputs).first->second, outputs) << node;
    }
}

// A router's table has one entry per destination class.
TEST_P(EveryRouting, DestinationsOnOneWayHaveTheSameOutputs) {
    const TopologyGraph& graph = topology.graph();
    for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
        for (const Channel in : boost::make_iterator_range(in_edges(vertex, graph))) {
            for (int vc = 0; vc < routing->virtual_channels(); ++vc) {
                for (int lot = 0; lot < routing->lots(); ++lot) {
                    expect_same_outputs_by_class(*routing, {vertex, graph[in].input_port, vc, lot});
                }
            }
        }
    }
}

// In small networks each node is a class of its own, since there are fewer nodes than combinations
// of directions.
TEST(AdaptiveRoutingTest, DestinationsOfALargeNetworkOnOneWayHaveTheSameOutputs) {
    const Topology mesh = mesh_topology({12, 10});
    const auto on_mesh = minimal_adaptive_routing(dimension_order_routing(mesh, {1, 0}), 2);
    const Topology torus = torus_topology({21, 20});
    const auto on_torus = minimal_adaptive_routing(
        torus_dimension_order_routing(torus, {0, 1}, {RingClasses::kDateline, RingTies::kLot}), 4);
    for (const Routing* routing : {on_mesh.get(), on_torus.get()}) {
        const std::size_t nodes = routing->topology().node_count();
        ASSERT_LT(routing->destination_classes(0), nodes);
        for (std::size_t vertex = 0; vertex < nodes; ++vertex) {
            for (int lot = 0; lot < routing->lots(); ++lot) {
                expect_same_outputs_by_class(*routing, {vertex, 0, 0, lot});
            }
        }
    }
}

TEST(AdaptiveRoutingTest, OffersBothWaysHalfWayAroundARing) {
    const Topology ring = torus_topology({4});
    const auto routing = minimal_adaptive_routing(
        torus_dimension_order_routing(ring, {0}, {RingClasses::kDateline}), 3);
    const auto adaptive_ports = [&](std::size_t destination) {
        std::vector<int> ports;
        for (const RoutedOutput& output : routing->outputs({0, 2, 0}, destination)) {
            if (!output.is_escape) {
                ports.push_back(output.port);
            }
        }
        return ports;
    };
    EXPECT_THAT(adaptive_ports(1), ElementsAre(0));
    EXPECT_THAT(adaptive_ports(2), ElementsAre(0, 1));
    EXPECT_THAT(adaptive_ports(3), ElementsAre(1));
}

// Each router of a large network has a table with an entry for each class.
TEST(RoutingTest, LatticesHaveFewWays) {
    const Topology torus = torus_topology({32, 32});
    const auto x_first = [&] {
        return torus_dimension_order_routing(torus, {0, 1}, {RingClasses::kDateline});
    };
    EXPECT_EQ(x_first()->destination_classes(0), 25U);
    EXPECT_EQ(minimal_adaptive_routing(x_first(), 3)->destination_classes(0), 400U);
    const Topology mesh = mesh_topology({64, 32});
    EXPECT_EQ(
        minimal_adaptive_routing(dimension_order_routing(mesh, {0, 1}), 2)->destination_classes(0),
        80U);
    const Topology cube = hypercube_topology(5);
    EXPECT_EQ(e_cube_routing(cube)->destination_classes(0), 6U);
    EXPECT_EQ(minimal_adaptive_routing(e_cube_routing(cube), 2)->destination_classes(0), 32U);
}

TEST(ChannelDependenciesTest, NamesVirtualChannels) {
    const Topology ring = torus_topology({4});
    const auto routing = torus_dimension_order_routing(ring, {0});
    const ChannelDependencies dependencies(*routing);
    EXPECT_THAT(dependencies.name(0), Names("(0) +x", "channel 0"));
    EXPECT_THAT(dependencies.name(1), Names("(0) +x", "channel 1"));
}

TEST(DimensionOrderTest, TheOrderNamesEachDimensionOnce) {
    const Topology mesh = mesh_topology({2, 3});
    EXPECT_THROW(dimension_order_routing(mesh, {0}), std::invalid_argument);
    EXPECT_THROW(dimension_order_routing(mesh, {0, 0}), std::invalid_argument);
    EXPECT_THROW(dimension_order_routing(mesh, {0, 2}), std::invalid_argument);
}

TEST(AdaptiveRoutingTest, RefusesVirtualChannelsThatCannotBe) {
    const Topology mesh = mesh_topology({3, 3});
    const auto x_first = [&] { return dimension_order_routing(mesh, {0, 1}); };
    EXPECT_THROW(minimal_adaptive_routing(x_first(), 1), std::invalid_argument);
    EXPECT_THROW(minimal_adaptive_routing(minimal_adaptive_routing(x_first(), 2), 3),
                 std::invalid_argument);
    const Topology tree = fat_tree_topology(2, 4);
    EXPECT_THROW(minimal_adaptive_routing(up_down_routing(tree), 2), std::invalid_argument);
    EXPECT_THROW(spread_over(x_first(), 0), std::invalid_argument);
    EXPECT_THROW(spread_over(minimal_adaptive_routing(x_first(), 2), 4), std::invalid_argument);
    const Topology torus = torus_topology({4, 4});
    EXPECT_THROW(spread_over(torus_dimension_order_routing(torus, {0, 1}), 3),
                 std::invalid_argument);
}

TEST(UpDownRoutingTest, OffersEveryWayUpAFatTree) {
    const Topology tree = fat_tree_topology(4, 64);
    const auto routing = up_down_routing(tree);
    const auto outputs = routing->outputs({0, 0, 0}, 63);  // at the switch of nodes 0 to 3
    EXPECT_THAT(outputs, ElementsAre(RoutedOutput{4, 0}, RoutedOutput{5, 0}, RoutedOutput{6, 0},
                                     RoutedOutput{7, 0}));
    EXPECT_THAT(routing->outputs({0, 0, 0}, 2), ElementsAre(RoutedOutput{2, 0}));
}

// The routing by switch numbers agrees with a search of the graph: any route up, then the only one
// down.
TEST(UpDownRoutingTest, AFatTreesWaysAreTheShortestInItsGraph) {
    using Ups = std::vector<std::int64_t>;
    for (const auto& [radix, leaves, ups] : {std::tuple{2, 2, Ups{}},
                                             {2, 5, Ups{}},
                                             {2, 16, Ups{}},
                                             {3, 3, Ups{}},
                                             {3, 20, Ups{}},
                                             {4, 64, Ups{}},
                                             {4, 40, Ups{2}},
                                             {3, 20, Ups{2, 1}},
                                             {2, 9, Ups{1}}}) {
        const Topology tree = fat_tree_topology(radix, leaves, ups);
        const auto routing = up_down_routing(tree);
        const TopologyGraph& graph = tree.graph();
        for (std::size_t there = 0; there < tree.node_count(); ++there) {
            for (std::size_t here = 0; here < tree.switch_count(); ++here) {
                const auto left = [&](std::size_t vertex) {  // remaining channels, by search
                    std::vector<std::int32_t> distance(num_vertices(graph), 0);
                    boost::breadth_first_search(
                        graph, vertex,
                        boost::visitor(boost::make_bfs_visitor(
                            boost::record_distances(distance.data(), boost::on_tree_edge()))));
                    return distance[tree.vertex_of_node(there)];
                };
                std::set<int> expected;
                for (const Channel channel : boost::make_iterator_range(out_edges(here, graph))) {
                    const std::size_t next = target(channel, graph);
                    const bool is_there = next == tree.vertex_of_node(there);
                    if (is_there || (!tree.is_node(next) && left(next) == left(here) - 1)) {
                        expected.insert(graph[channel].output_port);
                    }
                }
                std::set<int> found;
                for (const RoutedOutput& output : routing->outputs({here, 0, 0}, there)) {
                    found.insert(output.port);
                }
                ASSERT_EQ(found, expected)
                    << tree.title() << ": " << graph[here].name << " to " << there;
                ASSERT_LT(routing->destination_class(here, there),
                          routing->destination_classes(here));
            }
        }
    }
}

// Routes with more channels than a byte can hold.
TEST(UpDownRoutingTest, WaysInALongRowAreLong) {
    std::string row = "graph { ";
    for (int i = 0; i < 300; ++i) {
        row += "n" + std::to_string(i) + " -- n" + std::to_string(i + 1) + "; ";
    }
    const Topology graph = topology_of_dot(row + "}");
    const auto routing = up_down_routing(graph);
    const ChannelIndex channels(graph);
    for (const auto& [here, there] : {std::pair<std::size_t, std::size_t>{0, 300}, {300, 0}}) {
        std::size_t at = here;
        int input_port =
            graph.graph()[channels.channel(channels.at_output(graph.vertex_of_node(here), 0))]
                .input_port;
        int hops = 0;
        for (; !graph.is_node(at); ++hops) {
            ASSERT_LE(hops, 300);
            const auto outputs = routing->outputs({at, input_port, 0}, there);
            ASSERT_EQ(outputs.size(), 1U);
            const Channel next = channels.channel(channels.at_output(at, outputs[0].port));
            at = target(next, graph.graph());
            input_port = graph.graph()[next].input_port;
        }
        EXPECT_EQ(at, graph.vertex_of_node(there));
        EXPECT_EQ(hops, 301);
    }
}

// From the third to the fifth router in a ring of five: the path by the fourth one would go down,
// then up.
TEST(UpDownRoutingTest, TakesTheLongerWayWhereTheShortestGoesDownAndUp) {
    const Topology ring = topology_of_dot("graph { a -- b; b -- c; c -- d; d -- e; e -- a; }");
    const auto routing = up_down_routing(ring);
    const int node_port = 2;
    const auto next = [&](std::size_t here, int input_port) {
        const auto outputs = routing->outputs({here, input_port, 0}, 4);
        EXPECT_EQ(outputs.size(), 1U);
        const ChannelIndex channels(ring);
        return target(channels.channel(channels.at_output(here, outputs[0].port)), ring.graph());
    };
    EXPECT_EQ(hops_from(ring, 2)[4], 2);
    EXPECT_EQ(next(2, node_port), 1U);
    EXPECT_EQ(next(1, node_port), 0U);
    EXPECT_EQ(next(0, node_port), 4U);
}

// A node that sends into one switch and receives from another. Its messages to itself need routes,
// too.
TEST(UpDownRoutingTest, MessagesToTheirSenderHaveAWay) {
    const Topology both_ways = topology_of_dot(R"(digraph { s [kind="switch"]; t [kind="switch"];
        a [kind="node"]; b [kind="node"]; a -> s; t -> a; b -> t; s -> b; s -> t; t -> s; })");
    const auto routing = up_down_routing(both_ways);
    for (const std::size_t node : {0, 1}) {
        const auto outputs = routing->outputs({both_ways.switch_of_node(node), 0, 0}, node);
        ASSERT_EQ(outputs.size(), 1U);
    }
    EXPECT_TRUE(ChannelDependencies(*routing).is_acyclic());
}

// The only route from node b to itself goes down from s to t, then up from t to u. It is no
// up*/down* route.
TEST(UpDownRoutingTest, RefusesAGraphWhereANodeHasNoWayToItself) {
    const Topology graph = topology_of_dot(R"(digraph { root [kind="switch"]; s [kind="switch"];
        t [kind="switch"]; u [kind="switch"]; a [kind="node"]; b [kind="node"]; root -> s;
        root -> u; b -> s; s -> t; t -> a; a -> t; t -> u; u -> b; })");
    try {
        static_cast<void>(up_down_routing(graph));
        FAIL() << "it was taken";
    } catch (const std::invalid_argument& fault) {
        EXPECT_THAT(fault.what(), Names("no", "up", "down", "b", "b"));
    }
}

TEST(UpDownRoutingTest, RefusesAGraphWithoutWaysUpAndDown) {
    const Topology ring = topology_of_dot("digraph { a -> b; b -> c; c -> a; }");
    EXPECT_THROW(up_down_routing(ring), std::invalid_argument);
}

WEIR_TESTS_COST("UpDownRoutingTest.AFatTreesWays", 1, 7);

}  // namespace
}  // namespace weir::network
