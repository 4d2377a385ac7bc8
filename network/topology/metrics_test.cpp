#include "network/topology/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "hw/testing/names.h"
#include "network/topology/butterfly.h"
#include "network/topology/fat_tree.h"
#include "network/topology/graph_file.h"
#include "network/topology/lattice.h"
#include "network/topology/network_distance.h"

namespace weir::network {
namespace {

using weir::testing::Names;

using ::testing::ElementsAre;

// LogP (1993), table of Section 5.1: a network, and the result of a search of the network.
struct DistanceRow {
    NetworkTopology network;
    std::int64_t nodes;
    double mean;  ///< mean distance over all pairs, the sender itself included, as in the formulas
    double mean_to_others;
    std::int32_t diameter;
    Topology (*make)();
};
void PrintTo(const DistanceRow& row, std::ostream* out) {
    *out << network_name(row.network) << " of " << row.nodes;
}

class LogpDistances : public ::testing::TestWithParam<DistanceRow> {};

TEST_P(LogpDistances, AreTheTablesByBreadthFirstSearch) {
    const DistanceRow& row = GetParam();
    const Topology topology = row.make();
    const Distances found = distances_of(topology);
    EXPECT_EQ(topology.node_count(), static_cast<std::size_t>(row.nodes));
    EXPECT_NEAR(found.mean_with_itself, row.mean, 1e-12);
    EXPECT_NEAR(found.mean_to_others, row.mean_to_others, 1e-12);
    EXPECT_EQ(found.diameter, row.diameter);

    // The printed value is without fractions, and the formula is the limit for many processors.
    const double printed = printed_network_distance(row.network);
    EXPECT_NEAR(found.mean_with_itself, printed, 0.011 * printed + 0.15);
    const double formula = asymptotic_network_distance(row.network, row.nodes);
    EXPECT_NEAR(found.mean_with_itself, formula, 0.015 * formula);
    const auto exact = exact_network_distance(row.network, row.nodes);
    ASSERT_TRUE(exact);
    EXPECT_NEAR(found.mean_with_itself, exact->mean, 1e-9);
    EXPECT_NEAR(found.mean_to_others, exact->mean_to_others, 1e-9);
    EXPECT_EQ(found.diameter, exact->largest);
}

constexpr double kOthers = 1024.0 / 1023.0;  // corrects for the sender itself, at distance 0
INSTANTIATE_TEST_SUITE_P(
    Section51, LogpDistances,
    ::testing::Values(DistanceRow{NetworkTopology::kHypercube, 1024, 5.0, 5.0 * kOthers, 10,
                                  [] { return hypercube_topology(10); }},
                      DistanceRow{NetworkTopology::kButterfly, 1024, 10.0, 10.0, 10,
                                  [] { return butterfly_topology(2, 10); }},
                      DistanceRow{NetworkTopology::kFatTree, 1024, 28.0 / 3.0 + 2.0 / 3072.0,
                                  (28.0 / 3.0 + 2.0 / 3072.0) * kOthers, 10,
                                  [] { return fat_tree_topology(4, 1024); }},
                      // A cube of 1,024 would have sides of 10.08. Sides of 10, which the table
                      // uses, make 1,000 nodes.
                      DistanceRow{NetworkTopology::kTorus3d, 1000, 7.5, 7.5 * 1000.0 / 999.0, 15,
                                  [] {
                                      return torus_topology({10, 10, 10});
                                  }},
                      DistanceRow{NetworkTopology::kMesh3d, 1000, 9.9, 9.9 * 1000.0 / 999.0, 27,
                                  [] {
                                      return mesh_topology({10, 10, 10});
                                  }},
                      DistanceRow{NetworkTopology::kTorus2d, 1024, 16.0, 16.0 * kOthers, 32,
                                  [] {
                                      return torus_topology({32, 32});
                                  }},
                      DistanceRow{NetworkTopology::kMesh2d, 1024, 21.3125, 21.3125 * kOthers, 62,
                                  [] {
                                      return mesh_topology({32, 32});
                                  }}));

// 1,024 nodes make a three-dimensional network, but no cube.
TEST(MetricsTest, ThreeDimensionsOf1024) {
    const Distances torus = distances_of(torus_topology({8, 8, 16}));
    EXPECT_DOUBLE_EQ(torus.mean_with_itself, 2.0 + 2.0 + 4.0);
    const Distances mesh = distances_of(mesh_topology({8, 8, 16}));
    EXPECT_DOUBLE_EQ(mesh.mean_with_itself, 2.0 * 63.0 / 24.0 + 255.0 / 48.0);
    EXPECT_EQ(mesh.diameter, 29);
}

// Monsoon's row of LogP's Table 1: 5 hops among 1,024 processors with switches of 4 x 4.
TEST(MetricsTest, ButterflyOfFourByFourSwitches) {
    const Distances distances = distances_of(butterfly_topology(4, 5));
    EXPECT_EQ(distances.diameter, 5);
    EXPECT_DOUBLE_EQ(distances.mean_to_others, 5.0);
}

TEST(MetricsTest, ASenderIsAtNoDistanceButForAButterflys) {
    EXPECT_EQ(hops_from(torus_topology({4, 4}), 5)[5], 0);
    EXPECT_EQ(hops_from(fat_tree_topology(4, 16), 5)[5], 0);
    EXPECT_EQ(hops_from(butterfly_topology(2, 3), 5)[5], 3);
    EXPECT_EQ(hops_from(butterfly_topology(2, 1), 1)[1], 0) << "one switch does both";
}

// Nodes 6 and 7 of a butterfly eject at its last switch.
TEST(MetricsTest, ASendersWayToItselfEndsWithItsOwnEjection) {
    const Topology whole = butterfly_topology(2, 3);
    TopologyGraph graph = whole.graph();
    for (std::size_t at = 0; at < num_vertices(graph); ++at) {
        remove_edge(at, whole.switch_count() - 1, graph);
    }
    const Topology broken(whole.family(), whole.title(), graph, whole.counted(),
                          whole.standard_cut());
    EXPECT_EQ(hops_from(broken, 5)[5], 3);
    EXPECT_EQ(hops_from(broken, 7)[7], -1) << "there is no way";
}

TEST(MetricsTest, ANodeWithoutAWayIsAtNoDistance) {
    const Topology row = mesh_topology({3});
    TopologyGraph graph = row.graph();
    remove_edge(1, 2, graph);
    const Topology broken(row.family(), row.title(), graph, row.counted(), row.standard_cut());
    EXPECT_THAT(hops_from(broken, 0), ElementsAre(0, 1, -1));
}

TEST(MetricsTest, DegreesAreOfTheChannelsBetweenRouters) {
    const auto degrees = [](const Topology& topology) {
        const Degrees found = degrees_of(topology);
        return std::vector<std::size_t>{found.least, found.largest};
    };
    EXPECT_THAT(degrees(mesh_topology({8, 4})), ElementsAre(2, 4));
    EXPECT_THAT(degrees(torus_topology({8, 4})), ElementsAre(4, 4));
    EXPECT_THAT(degrees(hypercube_topology(7)), ElementsAre(7, 7));
    EXPECT_THAT(degrees(butterfly_topology(4, 3)), ElementsAre(4, 4));
    EXPECT_THAT(degrees(fat_tree_topology(4, 64)), ElementsAre(4, 8)) << "none up at the top";
}

// Channels that lead from one part of the routers into the other; nodes are in the part of their
// router.
std::int64_t crossing(const Topology& topology, std::uint32_t part) {
    std::int64_t found = 0;
    const TopologyGraph& graph = topology.graph();
    for (const Channel channel : channels_of(graph)) {
        if (topology.is_hop(channel)) {
            const bool from = (part >> source(channel, graph) & 1U) != 0;
            const bool to = (part >> target(channel, graph) & 1U) != 0;
            found += from && !to ? 1 : 0;
        }
    }
    return found;
}

// The smallest cut over all halves of the nodes.
std::int64_t least_of_all_halves(const Topology& topology) {
    const auto nodes = static_cast<int>(topology.node_count());
    std::int64_t least = 1'000'000;
    for (std::uint32_t part = 0; part < 1U << nodes; ++part) {
        if (std::popcount(part) == nodes / 2) {
            least = std::min(least, crossing(topology, part));
        }
    }
    return least;
}

class SmallLattice : public ::testing::TestWithParam<std::vector<std::int32_t>> {};

TEST_P(SmallLattice, NoHalvesHaveFewerChannelsThanTheCentralCut) {
    for (const Topology& topology : {mesh_topology(GetParam()), torus_topology(GetParam())}) {
        const Bisection bisection = bisection_of(topology);
        EXPECT_TRUE(bisection.is_exact);
        EXPECT_EQ(bisection.channels, least_of_all_halves(topology)) << topology.title();
    }
}

INSTANTIATE_TEST_SUITE_P(
    OneToFourDimensions, SmallLattice,
    ::testing::Values(std::vector<std::int32_t>{2}, std::vector<std::int32_t>{5},
                      std::vector<std::int32_t>{3, 3}, std::vector<std::int32_t>{3, 2},
                      std::vector<std::int32_t>{2, 4}, std::vector<std::int32_t>{4, 4},
                      std::vector<std::int32_t>{5, 3}, std::vector<std::int32_t>{3, 5},
                      std::vector<std::int32_t>{7, 2}, std::vector<std::int32_t>{1, 6},
                      std::vector<std::int32_t>{3, 2, 2}, std::vector<std::int32_t>{2, 2, 2, 2}));

TEST(BisectionTest, OfTheKnownNetworks) {
    const auto channels = [](const Topology& topology) { return bisection_of(topology).channels; };
    EXPECT_EQ(channels(mesh_topology({8, 4})), 4);
    EXPECT_EQ(channels(torus_topology({8, 4})), 8);
    EXPECT_EQ(channels(mesh_topology({32, 32})), 32);
    EXPECT_EQ(channels(torus_topology({10, 10, 10})), 200);
    EXPECT_EQ(channels(mesh_topology({3, 3, 3})), 9 + 3 + 1);
    EXPECT_EQ(channels(mesh_topology({3, 1})), 1) << "a row";
    EXPECT_EQ(channels(hypercube_topology(4)), 8);
    EXPECT_EQ(channels(hypercube_topology(10)), 512);
    EXPECT_EQ(channels(fat_tree_topology(4, 1024)), 512);
    EXPECT_EQ(channels(fat_tree_topology(4, 128)), 64);
    EXPECT_EQ(channels(fat_tree_topology(3, 10)), 5);
    EXPECT_EQ(channels(butterfly_topology(2, 10)), 512);
    EXPECT_FALSE(bisection_of(butterfly_topology(2, 3)).is_exact);
    EXPECT_TRUE(bisection_of(fat_tree_topology(4, 128)).is_exact);
    EXPECT_EQ(channels(fat_tree_topology(4, 128, {2, 2, 4})), 16);
    EXPECT_FALSE(bisection_of(fat_tree_topology(4, 128, {2, 2, 4})).is_exact);
}

TEST(BisectionTest, NoHalvesOfASmallFatTreeHaveFewer) {
    for (const std::int32_t nodes : {4, 6, 8}) {
        const Topology tree = fat_tree_topology(2, nodes);
        for (std::uint32_t part = 0; part < 1U << nodes; ++part) {
            std::vector<bool> half;
            for (std::int32_t node = 0; node < nodes; ++node) {
                half.push_back((part >> node & 1U) != 0);
            }
            if (std::popcount(part) == nodes / 2) {
                ASSERT_EQ(channels_across(tree, half), nodes / 2);
            }
        }
    }
}

// Planted fault: the mesh lacks the channel from (1,0) to (2,0), or the torus has another network's
// proof.
TEST(BisectionTest, AClosedFormThatIsNotTheMaximumFlowIsFound) {
    const Topology mesh = mesh_topology({4, 2});
    TopologyGraph graph = mesh.graph();
    remove_edge(1, 2, graph);
    const Topology broken(mesh.family(), mesh.title(), graph, mesh.counted(), mesh.standard_cut());
    EXPECT_THROW(bisection_of(broken), std::logic_error);
    EXPECT_EQ(bisection_of(mesh).channels, 2);

    StandardCut cut = *mesh.standard_cut();
    cut.bisection = 4;
    const Topology wrong(mesh.family(), mesh.title(), mesh.graph(), mesh.counted(), cut);
    EXPECT_THROW(bisection_of(wrong), std::logic_error);
}

// Two rings joined by one channel in each direction; vertices alternate between the rings.
TEST(BisectionTest, OfAGraphIsTheLeastCutFound) {
    std::istringstream file("graph { a -- c; c -- e; e -- a; b -- d; d -- f; f -- b; a -- b; }");
    const Topology graph = read_graph(file, GraphFormat::kDot, "two rings");
    const Bisection bisection = bisection_of(graph);
    EXPECT_EQ(bisection.channels, 1);
    EXPECT_FALSE(bisection.is_exact);
    EXPECT_THAT(bisection.source, Names("half", "nearest", "c"));
    EXPECT_EQ(bisection_of(graph, 0).channels, 4) << "a, b, c against d, e, f";
}

TEST(BisectionTest, OfOneSwitchIsItsNodesChannels) {
    std::istringstream file(
        R"(graph { s [kind=switch]; a [kind="node"]; b [kind="node"]; c [kind="node"];
            d [kind="node"]; a -- s; b -- s; c -- s; d -- s; })");
    EXPECT_EQ(bisection_of(read_graph(file, GraphFormat::kDot, "star")).channels, 2);
}

}  // namespace
}  // namespace weir::network
