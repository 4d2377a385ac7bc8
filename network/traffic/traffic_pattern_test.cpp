#include "network/traffic/traffic_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "hw/testing/names.h"
#include "network/topology/butterfly.h"
#include "network/topology/dragonfly.h"
#include "network/topology/fat_tree.h"
#include "network/topology/lattice.h"

namespace weir::network {
namespace {

using weir::testing::Names;

using ::testing::ElementsAre;

struct PatternBench {
    explicit PatternBench(const std::string& pattern) {
        EXPECT_TRUE(parameters.pattern.set(pattern));
    }
    /// Destination of each node's first packet.
    [[nodiscard]] std::vector<std::int32_t> destinations(const Topology& topology) const {
        const auto pattern = make_pattern(parameters, topology);
        hw::RandomStream stream(1, hw::NodeId(0), "pattern");
        std::vector<std::int32_t> found;
        for (std::size_t node = 0; node < topology.node_count(); ++node) {
            found.push_back(pattern->destination(static_cast<std::int32_t>(node), stream));
        }
        return found;
    }
    /// Number of times that each node is drawn as the source's destination.
    [[nodiscard]] std::vector<int> draws(const Topology& topology, std::int32_t source,
                                         int count) const {
        const auto pattern = make_pattern(parameters, topology);
        hw::RandomStream stream(1, hw::NodeId(source), "pattern");
        std::vector<int> drawn(topology.node_count(), 0);
        for (int i = 0; i < count; ++i) {
            ++drawn[static_cast<std::size_t>(pattern->destination(source, stream))];
        }
        return drawn;
    }
    [[nodiscard]] std::string fault(const Topology& topology) const {
        try {
            static_cast<void>(make_pattern(parameters, topology));
        } catch (const TrafficFault& fault) {
            return fault.what();
        }
        return "";
    }
    TrafficParameters parameters;
};

TEST(TrafficPatternTest, TransposeSwapsRowAndColumn) {
    const std::vector<std::int32_t> to =
        PatternBench("transpose").destinations(mesh_topology({3, 3}));
    EXPECT_THAT(to, ElementsAre(0, 3, 6, 1, 4, 7, 2, 5, 8));
    // For node numbers of 2 b bits, transpose is d_i = s_(i + b mod 2b).
    EXPECT_EQ(PatternBench("transpose").destinations(hypercube_topology(4))[0b0111], 0b1101);
}

TEST(TrafficPatternTest, BitComplement) {
    const auto to = PatternBench("bit_complement").destinations(mesh_topology({4, 2}));
    EXPECT_THAT(to, ElementsAre(7, 6, 5, 4, 3, 2, 1, 0));
}

TEST(TrafficPatternTest, BitReverse) {
    const auto to = PatternBench("bit_reverse").destinations(hypercube_topology(3));
    EXPECT_THAT(to, ElementsAre(0b000, 0b100, 0b010, 0b110, 0b001, 0b101, 0b011, 0b111));
}

TEST(TrafficPatternTest, ShuffleRotatesTheBitsUp) {
    const auto to = PatternBench("shuffle").destinations(butterfly_topology(2, 3));
    EXPECT_THAT(to, ElementsAre(0b000, 0b010, 0b100, 0b110, 0b001, 0b011, 0b101, 0b111));
}

// The step ceil(k/2) - 1 is 3 in a dimension of 8 nodes, and 2 in a dimension of 5.
TEST(TrafficPatternTest, TornadoGoesAlmostHalfWayAroundEachDimension) {
    const auto to = PatternBench("tornado").destinations(torus_topology({8, 5}));
    EXPECT_EQ(to[0], 3 + 8 * 2);
    EXPECT_EQ(to[6 + 8 * 4], 1 + 8 * 1);
}

TEST(TrafficPatternTest, NeighbourGoesOneOnInEachDimension) {
    const auto to = PatternBench("neighbour").destinations(mesh_topology({4, 2}));
    EXPECT_THAT(to, ElementsAre(5, 6, 7, 4, 1, 2, 3, 0));
}

TEST(TrafficPatternTest, PermutationsHaveEachNodeOnceAsDestination) {
    for (const char* pattern :
         {"transpose", "bit_complement", "bit_reverse", "shuffle", "tornado", "neighbour"}) {
        for (const Topology& topology :
             {mesh_topology({8, 8}), torus_topology({8, 8}), torus_topology({4, 4, 4})}) {
            const auto to = PatternBench(pattern).destinations(topology);
            EXPECT_EQ(std::set<std::int32_t>(to.begin(), to.end()).size(), 64U)
                << pattern << " on " << topology.title();
        }
    }
}

// Each of 8 nodes in n = 80,000 draws: mean 10,000, standard deviation 94.
TEST(TrafficPatternTest, UniformDrawsEveryNodeItselfIncluded) {
    for (const int drawn : PatternBench("uniform").draws(mesh_topology({8}), 3, 80'000)) {
        EXPECT_NEAR(drawn, 10'000, 4 * 94);
    }
}

TEST(TrafficPatternTest, AShareGoesToTheHotSpotAndTheRestIsUniform) {
    PatternBench bench("hot_spot");
    ASSERT_TRUE(bench.parameters.hot_spot_share.set(0.2));
    ASSERT_TRUE(bench.parameters.hot_spot_nodes.set(std::vector<std::int64_t>{5}));
    const std::vector<int> drawn = bench.draws(mesh_topology({8}), 3, 80'000);
    EXPECT_NEAR(drawn[5], 80'000 * (0.2 + 0.8 / 8), 4 * 130);  // standard deviation 130
    EXPECT_NEAR(drawn[0], 80'000 * (0.8 / 8), 4 * 85);
    ASSERT_TRUE(bench.parameters.hot_spot_share.set(1.0));
    EXPECT_EQ(bench.draws(mesh_topology({8}), 3, 1'000)[5], 1'000);
}

TEST(TrafficPatternTest, WhetherItIsTheSingleHotSpotTakesOneDraw) {
    PatternBench bench("hot_spot");
    ASSERT_TRUE(bench.parameters.hot_spot_share.set(1.0));
    const auto pattern = make_pattern(bench.parameters, mesh_topology({8}));
    hw::RandomStream stream(1, hw::NodeId(3), "pattern");
    hw::RandomStream same = stream;
    static_cast<void>(pattern->destination(3, stream));
    static_cast<void>(same.unit());
    EXPECT_EQ(stream.next(), same.next());
}

// n = 80,000 draws, half of them to nodes 5, 2 and 7 in the proportion 1 : 2 : 5.
TEST(TrafficPatternTest, SeveralHotSpotsHaveTheirRates) {
    PatternBench bench("hot_spot");
    ASSERT_TRUE(bench.parameters.hot_spot_share.set(0.5));
    ASSERT_TRUE(bench.parameters.hot_spot_nodes.set(std::vector<std::int64_t>{5, 2, 7}));
    ASSERT_TRUE(bench.parameters.hot_spot_rates.set(std::vector<std::int64_t>{1, 2, 5}));
    const std::vector<int> drawn = bench.draws(mesh_topology({8}), 3, 80'000);
    EXPECT_NEAR(drawn[5], 80'000 * (0.5 * 1 / 8 + 0.5 / 8), 4 * 94);
    EXPECT_NEAR(drawn[2], 80'000 * (0.5 * 2 / 8 + 0.5 / 8), 4 * 111);
    EXPECT_NEAR(drawn[7], 80'000 * (0.5 * 5 / 8 + 0.5 / 8), 4 * 138);
    EXPECT_NEAR(drawn[0], 80'000 * (0.5 / 8), 4 * 69);
    ASSERT_TRUE(bench.parameters.hot_spot_share.set(1.0));
    ASSERT_TRUE(bench.parameters.hot_spot_rates.set(
        std::vector<std::int64_t>{7}));  // one rate for all hot spots
    const std::vector<int> alike = bench.draws(mesh_topology({8}), 3, 90'000);
    for (const std::size_t node : {2, 5, 7}) {
        EXPECT_NEAR(alike[node], 30'000, 4 * 142);
    }
}

// LoGPC Section 3.3: at most l hops in any direction, uniform within this span.
TEST(TrafficPatternTest, LocalityStaysWithinItsHopsInEachDimension) {
    PatternBench bench("locality");
    const std::vector<int> middle = bench.draws(mesh_topology({5, 5}), 12, 90'000);
    const std::vector<int> corner = bench.draws(mesh_topology({5, 5}), 0, 90'000);
    const std::vector<int> around = bench.draws(torus_topology({5, 5}), 0, 90'000);
    const std::set<std::size_t> near_middle{6, 7, 8, 11, 12, 13, 16, 17, 18};
    const std::set<std::size_t> near_corner{0, 1, 5, 6};
    const std::set<std::size_t> near_around{0, 1, 4, 5, 6, 9, 20, 21, 24};
    for (std::size_t node = 0; node < 25; ++node) {
        // The standard deviations are 94 for 9 nodes and 130 for 4 nodes.
        EXPECT_NEAR(middle[node], near_middle.contains(node) ? 10'000 : 0, 4 * 94) << node;
        EXPECT_NEAR(corner[node], near_corner.contains(node) ? 22'500 : 0, 4 * 130) << node;
        EXPECT_NEAR(around[node], near_around.contains(node) ? 10'000 : 0, 4 * 94) << node;
        EXPECT_EQ(middle[node] > 0, near_middle.contains(node)) << node;
        EXPECT_EQ(corner[node] > 0, near_corner.contains(node)) << node;
        EXPECT_EQ(around[node] > 0, near_around.contains(node)) << node;
    }
}

TEST(TrafficPatternTest, ASpanBeyondTheNetworkIsUniform) {
    PatternBench bench("locality");
    ASSERT_TRUE(bench.parameters.locality_hops.set(std::int64_t{16'383}));
    for (const Topology& topology : {mesh_topology({4, 2}), torus_topology({4, 2})}) {
        for (const int drawn : bench.draws(topology, 1, 80'000)) {
            EXPECT_NEAR(drawn, 10'000, 4 * 94) << topology.title();
        }
    }
}

TEST(TrafficPatternTest, NextGroupGoesToAnyNodeOfTheNextGroup) {
    const Topology dragonfly = dragonfly_topology({2, 3, 4});
    const std::vector<int> from_last = PatternBench("next_group").draws(dragonfly, 23, 6'000);
    for (std::size_t node = 0; node < from_last.size(); ++node) {
        EXPECT_NEAR(from_last[node], node < 6 ? 1'000 : 0, node < 6 ? 160 : 0) << node;
    }
    const std::vector<std::int32_t> to = PatternBench("next_group").destinations(dragonfly);
    for (std::size_t node = 0; node < to.size(); ++node) {
        EXPECT_EQ(to[node] / 6, (static_cast<std::int32_t>(node) / 6 + 1) % 4);
    }
}

TEST(TrafficPatternTest, RefusesWhatHasNoMeaningOnTheTopology) {
    EXPECT_THAT(PatternBench("next_group").fault(mesh_topology({8, 4})),
                Names("next_group", "dragonfly"));
    EXPECT_THAT(PatternBench("transpose").fault(mesh_topology({8, 4})),
                Names("square", "mesh 8 x 4", "32", "square"));
    EXPECT_THAT(PatternBench("transpose").fault(mesh_topology({16, 4})),
                Names("square", "mesh 16 x 4", "64"));
    EXPECT_THAT(PatternBench("shuffle").fault(mesh_topology({6, 6})),
                Names("bits", "mesh 6 x 6", "36"));
    EXPECT_THAT(PatternBench("tornado").fault(fat_tree_topology(4, 16)), Names("dimensions"));
    EXPECT_THAT(PatternBench("locality").fault(butterfly_topology(2, 4)),
                Names("mesh", "torus", "hypercube"));
    EXPECT_THAT(PatternBench("tornado").fault(hypercube_topology(4)),
                Names("\"tornado\"", "every", "hypercube"));
    PatternBench hot("hot_spot");
    using Numbers = std::vector<std::int64_t>;
    ASSERT_TRUE(hot.parameters.hot_spot_nodes.set(Numbers{7, 8}));
    EXPECT_THAT(hot.fault(mesh_topology({8})),
                Names("traffic.hot_spot_nodes: ", "8", "8", "accepted", "0", "7"));
    ASSERT_TRUE(hot.parameters.hot_spot_nodes.set(Numbers{7, 2, 7}));
    EXPECT_THAT(hot.fault(mesh_topology({8})), Names("traffic.hot_spot_nodes", "7", "twice"));
    ASSERT_TRUE(hot.parameters.hot_spot_nodes.set(Numbers{7, 2, 3}));
    ASSERT_TRUE(hot.parameters.hot_spot_rates.set(Numbers{1, 2}));
    EXPECT_THAT(hot.fault(mesh_topology({8})),
                Names("traffic.hot_spot_rates: ", "2", "3", "accepted", "traffic.hot_spot_nodes",
                      "single"));
}

}  // namespace
}  // namespace weir::network
