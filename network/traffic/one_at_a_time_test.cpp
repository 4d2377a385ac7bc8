#include "network/traffic/one_at_a_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "hw/testing/every_order.h"
#include "network/routing/routing.h"
#include "network/topology/butterfly.h"
#include "network/topology/fat_tree.h"
#include "network/topology/graph_file.h"
#include "network/topology/lattice.h"
#include "network/topology/metrics.h"

namespace weir::network {
namespace {

using hw::ClockDomain;
using hw::Cycles;
using hw::Flits;
using ::testing::Each;
using ::testing::Not;

OneAtATimeResult measure(ClockDomain& domain, const Routing& routing, Fabric::Design design,
                         std::int64_t flits) {
    design.injection_vcs = routing.virtual_channels();
    design.ejection_vcs = routing.virtual_channels();
    FabricPacketNetwork network("fabric", domain, routing, design);
    OneAtATime traffic(domain, network, Flits(flits));
    return traffic.run({});
}

// Number of packets: one from node 0 to each other node, and one for each distance that node 0 does
// not have.
std::int64_t packets_of(const OneAtATimeResult& result, const Topology& topology) {
    std::set<std::int32_t> of_node_zero;
    const std::vector<std::int32_t> hops = hops_from(topology, 0);
    of_node_zero.insert(hops.begin() + 1, hops.end());
    return static_cast<std::int64_t>(hops.size() - 1 + result.by_hops.size() - of_node_zero.size());
}

// Checks that each packet took `at_no_hops` cycles and `each_hop` cycles for each hop, and that all
// pairs are counted.
void expect_line(const OneAtATimeResult& result, const Topology& topology, std::int64_t at_no_hops,
                 std::int64_t each_hop) {
    EXPECT_EQ(result.end, TrafficEnd::kDrained);
    const Distances distances = distances_of(topology);
    const auto nodes = static_cast<std::int64_t>(topology.node_count());
    std::int64_t packets = 0;
    std::int64_t pairs = 0;
    std::int64_t hops_of_all = 0;
    for (const auto& [hops, apart] : result.by_hops) {
        ASSERT_GT(apart.measured.count(), 0) << hops;
        EXPECT_EQ(apart.measured.least(), at_no_hops + each_hop * hops) << hops;
        EXPECT_EQ(apart.measured.largest(), at_no_hops + each_hop * hops) << hops;
        packets += apart.measured.count();
        pairs += apart.pairs;
        hops_of_all += hops * apart.pairs;
    }
    EXPECT_EQ(packets, packets_of(result, topology));
    EXPECT_EQ(pairs, nodes * (nodes - 1));
    EXPECT_EQ(hops_of_all, distances.hops_to_others);
    EXPECT_EQ(result.by_hops.rbegin()->first, distances.diameter);
    EXPECT_DOUBLE_EQ(result.mean_hops, result.mean_shortest_hops);
}

Fabric::Design design_of(std::int64_t injection, std::int64_t hop, std::int64_t ejection,
                         std::int64_t flit_cycles = 1) {
    Fabric::Design design;
    design.injection_cycles = Cycles(injection);
    design.hop_cycles = Cycles(hop);
    design.ejection_cycles = Cycles(ejection);
    design.router.flit_cycles = Cycles(flit_cycles);
    return design;
}

class OneAtATimeTest : public ::testing::Test {
  public:
    hw::ClockDomainParameters clock_parameters;
    ClockDomain domain{"clock", clock_parameters};
};

// Latency without hops: the cycles of the nodes' links, and a cycle for each flit after the header.
TEST_F(OneAtATimeTest, OnAMesh) {
    const Topology mesh = mesh_topology({5, 3, 2});
    const auto routing = dimension_order_routing(mesh, {0, 1, 2});
    expect_line(measure(domain, *routing, design_of(2, 3, 4), 5), mesh, 2 + 4 + 4, 3);
}

// Two virtual channels, and routers of three stages; a route has one router more than hops.
TEST_F(OneAtATimeTest, OnATorusOfPipelinedRouters) {
    const Topology torus = torus_topology({5, 4});
    const auto routing = torus_dimension_order_routing(torus, {0, 1});
    Fabric::Design design = design_of(1, 2, 1);
    design.router.routing_cycles = Cycles(3);
    design.router.vc_allocation_cycles = Cycles(1);
    expect_line(measure(domain, *routing, design, 10), torus, 1 + 1 + 9 + 4, 2 + 4);
}

// nCUBE/2: one bit per cycle, and flits of a byte. A router collects a flit before it forwards it,
// 7 cycles per channel after the flit's first bit. A route of H hops has H + 2 channels; 20 flits
// take 160 cycles.
TEST_F(OneAtATimeTest, OnAHypercubeOfNarrowChannels) {
    const Topology hypercube = hypercube_topology(4);
    const auto routing = e_cube_routing(hypercube);
    expect_line(measure(domain, *routing, design_of(1, 33, 1, 8), 20), hypercube, 168, 40);
}

// A part of the CM-5's fat tree. The channels of its leaves are hops, so that a route of H hops has
// H channels in all.
TEST_F(OneAtATimeTest, OnAPartialFatTree) {
    const Topology tree = fat_tree_topology(4, 32);
    const auto routing = up_down_routing(tree);
    expect_line(measure(domain, *routing, design_of(7, 7, 7, 2), 20), tree, 38, 8);
}

// A butterfly, as in Monsoon: all nodes are equally far from a node, the node itself included.
TEST_F(OneAtATimeTest, OnAButterfly) {
    const Topology butterfly = butterfly_topology(4, 3);
    const auto routing = destination_tag_routing(butterfly);
    const OneAtATimeResult result = measure(domain, *routing, design_of(1, 2, 2), 10);
    expect_line(result, butterfly, 10, 2);
    EXPECT_EQ(result.by_hops.size(), 1U);
    EXPECT_EQ(result.to_itself, (std::map<std::int32_t, std::int64_t>{{3, 64}}));
}

// Node 0 is in the middle of three, so another node must send over the distance of two.
TEST_F(OneAtATimeTest, DistancesThatNodeZeroHasNoneAtComeFromOthers) {
    std::istringstream text("graph { a -- b; a -- c; }");
    const Topology path = read_graph(text, GraphFormat::kDot, "path");
    const auto routing = up_down_routing(path);
    const OneAtATimeResult result = measure(domain, *routing, design_of(1, 3, 1), 4);
    expect_line(result, path, 5, 3);
    EXPECT_EQ(result.by_hops.at(1).pairs, 4);
    EXPECT_EQ(result.by_hops.at(2).pairs, 2);
}

// Planted fault: buffers too small for full rate delay the tail, which the latency shows.
TEST_F(OneAtATimeTest, ALateTailIsSeen) {
    const Topology mesh = mesh_topology({4});
    const auto routing = dimension_order_routing(mesh, {0});
    Fabric::Design design = design_of(1, 1, 1);
    design.buffer = Flits(1);
    const OneAtATimeResult result = measure(domain, *routing, design, 5);
    EXPECT_GT(result.by_hops.at(1).measured.least(), 1 + 1 + 4 + 1);
}

TEST_F(OneAtATimeTest, EndsWhereAPacketIsStuck) {
    const Topology mesh = mesh_topology({4});
    const auto routing = dimension_order_routing(mesh, {0});
    FabricPacketNetwork network("fabric", domain, *routing, design_of(1, 1, 1));
    for (const Fabric::Link& link : network.fabric().links()) {
        if (mesh.is_hop(link.channel)) {
            link.vcs.front()->fail();
        }
    }
    OneAtATime traffic(domain, network, Flits(4));
    const OneAtATimeResult result = traffic.run({});
    EXPECT_EQ(result.end, TrafficEnd::kDeadlock);
    for (const auto& [hops, apart] : result.by_hops) {
        EXPECT_EQ(apart.measured.count(), 0) << hops;
    }
}

TEST_F(OneAtATimeTest, EndsWhenItIsAskedTo) {
    const Topology mesh = mesh_topology({4});
    const auto routing = dimension_order_routing(mesh, {0});
    FabricPacketNetwork network("fabric", domain, *routing, design_of(1, 100, 1));
    OneAtATime traffic(domain, network, Flits(4));
    int asked = 0;
    const OneAtATimeResult result = traffic.run({.proceed = [&asked] { return ++asked < 3; }});
    EXPECT_EQ(result.end, TrafficEnd::kInterrupted);
    EXPECT_EQ(asked, 3);
    EXPECT_EQ(result.mean_shortest_hops, 0.0);
}

TEST(OneAtATimeLawTest, NeitherOrderNorSleepingMatters) {
    const auto results = hw::testing::results_in_every_order([](ClockDomain& clock) {
        const Topology torus = torus_topology({3, 3});
        const auto routing = torus_dimension_order_routing(torus, {0, 1});
        const OneAtATimeResult result = measure(clock, *routing, design_of(2, 3, 2, 2), 6);
        std::string text = std::to_string(result.cycles);
        for (const auto& [hops, apart] : result.by_hops) {
            text += " " + std::to_string(hops) + ":" + std::to_string(apart.measured.sum());
        }
        return text;
    });
    EXPECT_THAT(results, Each(results.front()));
    EXPECT_THAT(results.front(), Not("failed"));
}

}  // namespace
}  // namespace weir::network
