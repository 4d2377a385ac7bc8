#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/range/iterator_range.hpp>
#include <memory>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "hw/testing/names.h"
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

struct TopologyCase {
    const char* name;
    Topology (*make)();
};
void PrintTo(const TopologyCase& topology, std::ostream* out) { *out << topology.name; }

Topology read_ring() {
    std::istringstream file("digraph { a -> b; b -> c; c -> a; }");
    return read_graph(file, GraphFormat::kDot, "ring");
}

class EveryTopology : public ::testing::TestWithParam<TopologyCase> {
  public:
    const Topology topology = GetParam().make();
    const TopologyGraph& graph = topology.graph();
};

TEST_P(EveryTopology, UsesAPortOfAVertexAtMostOnceEachWay) {
    std::set<std::pair<std::size_t, int>> outputs;
    std::set<std::pair<std::size_t, int>> inputs;
    for (const Channel channel : channels_of(graph)) {
        EXPECT_TRUE(outputs.emplace(source(channel, graph), graph[channel].output_port).second)
            << topology.channel_name(channel);
        EXPECT_TRUE(inputs.emplace(target(channel, graph), graph[channel].input_port).second)
            << topology.channel_name(channel);
    }
}

TEST_P(EveryTopology, GivesEachNodeOneWayInAndOneOut) {
    std::vector<int> ejections(num_vertices(graph));
    for (const Channel channel : channels_of(graph)) {
        if (topology.is_ejection(channel)) {
            ++ejections[target(channel, graph)];
            EXPECT_FALSE(topology.is_injection(channel));
        }
    }
    for (std::size_t node = 0; node < topology.node_count(); ++node) {
        const std::size_t vertex = topology.vertex_of_node(node);
        EXPECT_EQ(graph[vertex].kind, VertexKind::kNode);
        EXPECT_EQ(out_degree(vertex, graph), 1U);
        EXPECT_EQ(ejections[vertex], 1);
    }
}

TEST_P(EveryTopology, NamesAreDifferent) {
    std::set<std::string> names;
    for (const auto vertex : boost::make_iterator_range(vertices(graph))) {
        EXPECT_TRUE(names.insert(graph[vertex].name).second) << graph[vertex].name;
    }
}

TEST_P(EveryTopology, EveryNodeReachesEveryOther) {
    for (std::size_t node = 0; node < topology.node_count(); ++node) {
        const std::vector<std::int32_t> hops = hops_from(topology, node);
        for (std::size_t other = 0; other < hops.size(); ++other) {
            EXPECT_TRUE(hops[other] > 0 || other == node) << node << " to " << other;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, EveryTopology,
    ::testing::Values(TopologyCase{"mesh 8 x 4",
                                   [] {
                                       return mesh_topology({8, 4});
                                   }},
                      TopologyCase{"mesh 3 x 1 x 2",
                                   [] {
                                       return mesh_topology({3, 1, 2});
                                   }},
                      TopologyCase{"torus 4 x 8",
                                   [] {
                                       return torus_topology({4, 8});
                                   }},
                      TopologyCase{"torus 2 x 2",
                                   [] {
                                       return torus_topology({2, 2});
                                   }},
                      TopologyCase{"torus 3 x 4 x 5",
                                   [] {
                                       return torus_topology({3, 4, 5});
                                   }},
                      TopologyCase{"hypercube 5", [] { return hypercube_topology(5); }},
                      TopologyCase{"2-ary 4-fly", [] { return butterfly_topology(2, 4); }},
                      TopologyCase{"3-ary 2-fly", [] { return butterfly_topology(3, 2); }},
                      TopologyCase{"4-ary 1-fly", [] { return butterfly_topology(4, 1); }},
                      TopologyCase{"4-ary tree of 64", [] { return fat_tree_topology(4, 64); }},
                      TopologyCase{"4-ary tree of 128", [] { return fat_tree_topology(4, 128); }},
                      TopologyCase{"thin tree of 128",
                                   [] {
                                       return fat_tree_topology(4, 128, {2, 2, 4});
                                   }},
                      TopologyCase{"3-ary tree of 10", [] { return fat_tree_topology(3, 10); }},
                      TopologyCase{"2-ary tree of 2", [] { return fat_tree_topology(2, 2); }},
                      TopologyCase{"dragonfly of 72",
                                   [] {
                                       return dragonfly_topology({2, 4, 9});
                                   }},
                      TopologyCase{"dragonfly with free ports",
                                   [] {
                                       return dragonfly_topology({3, 4, 6});
                                   }},
                      TopologyCase{"concentrated mesh",
                                   [] {
                                       return concentrated_mesh_topology(3, {4, 2});
                                   }},
                      TopologyCase{"flattened butterfly",
                                   [] {
                                       return flattened_butterfly_topology(4, {4, 4});
                                   }},
                      TopologyCase{"HyperX",
                                   [] {
                                       return hyperx_topology(2, {3, 2, 4});
                                   }},
                      TopologyCase{"slim fly of 5", [] { return slim_fly_topology(3, 5); }},
                      TopologyCase{"slim fly of 4", [] { return slim_fly_topology(2, 4); }},
                      TopologyCase{"ring.dot", [] { return read_ring(); }}));

// The vertex at the end of an output port's channel.
std::size_t vertex_behind(const Topology& topology, std::size_t vertex, int port) {
    const TopologyGraph& graph = topology.graph();
    for (const Channel channel : boost::make_iterator_range(out_edges(vertex, graph))) {
        if (graph[channel].output_port == port) {
            return target(channel, graph);
        }
    }
    return num_vertices(graph);
}

TEST(LatticeTest, HasTheRoutersOfTheMesh) {
    const Topology mesh = mesh_topology({8, 4});
    EXPECT_EQ(mesh.title(), "mesh 8 x 4");
    EXPECT_EQ(mesh.switch_count(), 32U);
    EXPECT_EQ(mesh.node_count(), 32U);
    EXPECT_THAT(mesh.graph()[31].coordinates, ElementsAre(7, 3));
    EXPECT_EQ(mesh.graph()[31].name, "(7,3)");
    EXPECT_EQ(mesh.graph()[mesh.vertex_of_node(31)].name, "node 31");
    EXPECT_EQ(vertex_behind(mesh, 31, 4), mesh.vertex_of_node(31)) << "the last port";
    EXPECT_EQ(hop_channels_of(mesh), 2U * (7U * 4U + 8U * 3U));
}

TEST(LatticeTest, ATorusGoesOnAroundItsEnds) {
    const Topology torus = torus_topology({4, 3});
    EXPECT_EQ(vertex_behind(torus, 3, 0), 0U) << "+x from (3,0)";
    EXPECT_EQ(vertex_behind(torus, 0, 1), 3U) << "-x from (0,0)";
    EXPECT_EQ(vertex_behind(torus, 9, 2), 1U) << "+y from (1,2)";
    EXPECT_EQ(vertex_behind(torus, 1, 3), 9U) << "-y from (1,0)";
    EXPECT_EQ(hop_channels_of(torus), 12U * 4U);
    const auto channel = edge(3, 0, torus.graph()).first;
    EXPECT_EQ(torus.channel_name(channel), "(3,0) +x");
}

TEST(LatticeTest, HypercubePortsFlipBits) {
    const Topology cube = hypercube_topology(4);
    EXPECT_EQ(cube.node_count(), 16U);
    EXPECT_EQ(cube.graph()[6].name, "0110");
    EXPECT_THAT(cube.graph()[6].coordinates, ElementsAre(0, 1, 1, 0));
    for (int bit = 0; bit < 4; ++bit) {
        EXPECT_EQ(vertex_behind(cube, 6, bit), 6U ^ (1U << bit));
    }
    EXPECT_EQ(vertex_behind(cube, 6, 4), cube.vertex_of_node(6));
}

TEST(ButterflyTest, TheDestinationsDigitsAreTheWay) {
    const Topology butterfly = butterfly_topology(4, 3);
    EXPECT_EQ(butterfly.node_count(), 64U);
    EXPECT_EQ(butterfly.switch_count(), 3U * 16U);
    for (std::size_t sender = 0; sender < 64; ++sender) {
        for (std::size_t receiver = 0; receiver < 64; ++receiver) {
            std::size_t at = vertex_behind(butterfly, butterfly.vertex_of_node(sender), 0);
            for (const std::size_t digit : {receiver / 16, receiver / 4 % 4, receiver % 4}) {
                at = vertex_behind(butterfly, at, static_cast<int>(digit));
            }
            ASSERT_EQ(at, butterfly.vertex_of_node(receiver)) << "from " << sender;
        }
    }
}

TEST(ButterflyTest, AnotherSwitchInjectsThanEjects) {
    const Topology butterfly = butterfly_topology(2, 3);
    const TopologyGraph& graph = butterfly.graph();
    for (const Channel channel : channels_of(graph)) {
        if (butterfly.is_injection(channel)) {
            EXPECT_EQ(graph[target(channel, graph)].coordinates[0], 0);
        }
        if (butterfly.is_ejection(channel)) {
            EXPECT_EQ(graph[source(channel, graph)].coordinates[0], 2);
        }
    }
}

TEST(FatTreeTest, HasAsManyChannelsUpAsDown) {
    const Topology tree = fat_tree_topology(4, 256);
    EXPECT_EQ(tree.switch_count(), 4U * 64U);
    std::vector<int> ups(4);
    std::vector<int> downs(4);
    for (const Channel channel : channels_of(tree.graph())) {
        const auto from = source(channel, tree.graph());
        if (tree.is_injection(channel)) {
            ++ups[0];
        } else if (tree.graph()[channel].direction.starts_with("up")) {
            ++ups[static_cast<std::size_t>(tree.graph()[from].coordinates[0]) + 1];
        } else {
            ++downs[static_cast<std::size_t>(tree.graph()[from].coordinates[0])];
        }
    }
    EXPECT_THAT(ups, ElementsAre(256, 256, 256, 256));
    EXPECT_EQ(ups, downs);
}

// Depth 0 is at the roots, which are drawn first.
TEST(FatTreeTest, DepthsGrowFromTheRoots) {
    const Topology tree = fat_tree_topology(2, 8);
    const auto depths = tree.family().depths(tree);
    ASSERT_TRUE(depths.has_value());
    for (std::size_t vertex = 0; vertex < tree.switch_count(); ++vertex) {
        EXPECT_EQ((*depths)[vertex], 2 - tree.graph()[vertex].coordinates[0]) << vertex;
    }
}

TEST(FatTreeTest, MayBePartial) {
    const Topology tree = fat_tree_topology(4, 128);
    EXPECT_THAT(tree.title(), Names("4-ary", "tree", "4", "partial"));
    std::vector<int> switches(4);
    for (std::size_t i = 0; i < tree.switch_count(); ++i) {
        ++switches[static_cast<std::size_t>(tree.graph()[i].coordinates[0])];
    }
    EXPECT_THAT(switches, ElementsAre(32, 32, 32, 64));
    const Distances distances = distances_of(tree);
    EXPECT_EQ(distances.diameter, 8);
    // Distances from a node: 3 nodes are 2 hops away, 12 are 4, 48 are 6, and 64 are 8 hops away.
    EXPECT_EQ(distances.hops_to_others, 128 * (3 * 2 + 12 * 4 + 48 * 6 + 64 * 8));
}

// The CM-5's tree: switches of the two lower levels have two up channels for four down channels.
TEST(FatTreeTest, MayBeThinnerTowardsTheRoot) {
    const Topology tree = fat_tree_topology(4, 128, {2, 2, 4});
    EXPECT_THAT(tree.title(), Names("4-ary", "tree", "4", "partial", "2 2 4"));
    std::vector<int> switches(4);
    std::vector<int> ups(4);
    for (std::size_t i = 0; i < tree.switch_count(); ++i) {
        ++switches[static_cast<std::size_t>(tree.graph()[i].coordinates[0])];
    }
    for (const Channel channel : channels_of(tree.graph())) {
        const auto from = source(channel, tree.graph());
        if (tree.graph()[channel].direction.starts_with("up")) {
            ++ups[static_cast<std::size_t>(tree.graph()[from].coordinates[0])];
        }
    }
    EXPECT_THAT(switches, ElementsAre(32, 16, 8, 16));
    EXPECT_THAT(ups, ElementsAre(64, 32, 32, 0));
    EXPECT_EQ(distances_of(tree).hops_to_others,
              distances_of(fat_tree_topology(4, 128)).hops_to_others);
}

// An explicit list with as many up channels as down channels gives the full tree.
TEST(FatTreeTest, WithAllItsChannelsUpIsTheWholeTree) {
    const Topology whole = fat_tree_topology(3, 20);
    const Topology same = fat_tree_topology(3, 20, {3});
    EXPECT_EQ(same.title(), whole.title());
    const auto channels = [](const Topology& tree) {
        std::set<std::tuple<std::string, std::string, int, int>> all;
        for (const Channel channel : channels_of(tree.graph())) {
            all.emplace(tree.graph()[source(channel, tree.graph())].name,
                        tree.graph()[target(channel, tree.graph())].name,
                        tree.graph()[channel].output_port, tree.graph()[channel].input_port);
        }
        return all;
    };
    EXPECT_EQ(channels(same), channels(whole));
}

}  // namespace
}  // namespace weir::network
