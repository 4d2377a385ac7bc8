#include "network/topology/mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/range/iterator_range.hpp>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

namespace weir::network {
namespace {

using ::testing::ElementsAre;

std::size_t index_of(std::int32_t node) { return static_cast<std::size_t>(node); }

std::int32_t manhattan(const Mesh& mesh, std::int32_t source, std::int32_t destination) {
    const auto& from = mesh.graph()[index_of(source)].coordinates;
    const auto& to = mesh.graph()[index_of(destination)].coordinates;
    std::int32_t distance = 0;
    for (std::size_t d = 0; d < from.size(); ++d) {
        distance += std::abs(from[d] - to[d]);
    }
    return distance;
}

// The router at the end of an output port's channel; the same router for the node's port; -1 if
// there is no channel.
std::int32_t behind(const Mesh& mesh, std::int32_t node, int port) {
    if (port == mesh.node_port()) {
        return node;
    }
    for (const auto edge : boost::make_iterator_range(out_edges(index_of(node), mesh.graph()))) {
        if (mesh.graph()[edge].output_port == port) {
            return static_cast<std::int32_t>(target(edge, mesh.graph()));
        }
    }
    return -1;
}

std::vector<std::int32_t> path(const Mesh& mesh, std::int32_t source, std::int32_t destination) {
    std::vector<std::int32_t> nodes{source};
    for (;;) {
        const int port =
            mesh.dimension_order_routes(hw::NodeId(nodes.back()))[index_of(destination)];
        if (port == mesh.node_port() || nodes.size() > index_of(mesh.node_count())) {
            return nodes;
        }
        nodes.push_back(behind(mesh, nodes.back(), port));
    }
}

class EveryMesh : public ::testing::TestWithParam<std::vector<std::int32_t>> {
  public:
    const Mesh mesh{GetParam()};
};

TEST_P(EveryMesh, HasDistancesThatAreManhattans) {
    const auto distances = mesh.distances();
    for (std::int32_t source = 0; source < mesh.node_count(); ++source) {
        for (std::int32_t destination = 0; destination < mesh.node_count(); ++destination) {
            ASSERT_EQ(distances[index_of(source)][index_of(destination)],
                      manhattan(mesh, source, destination))
                << source << " to " << destination;
        }
    }
}

TEST_P(EveryMesh, PairsEveryChannelWithOneTheOtherWay) {
    // sending router and its port, receiving router and its port
    std::set<std::vector<std::int64_t>> ends;
    const TopologyGraph& graph = mesh.graph();
    for (const auto edge : boost::make_iterator_range(edges(graph))) {
        const auto from = static_cast<std::int64_t>(source(edge, graph));
        const auto to = static_cast<std::int64_t>(target(edge, graph));
        ends.insert({from, graph[edge].output_port, to, graph[edge].input_port});
    }
    EXPECT_EQ(ends.size(), num_edges(graph)) << "no port has two channels to the same place";
    for (const auto& end : ends) {
        EXPECT_TRUE(ends.contains({end[2], end[3], end[0], end[1]}));
    }
}

TEST_P(EveryMesh, UsesAPortOfARouterAtMostOnceEachWay) {
    std::set<std::pair<std::size_t, int>> outputs;
    std::set<std::pair<std::size_t, int>> inputs;
    const TopologyGraph& graph = mesh.graph();
    for (const auto edge : boost::make_iterator_range(edges(graph))) {
        EXPECT_TRUE(outputs.emplace(source(edge, graph), graph[edge].output_port).second);
        EXPECT_TRUE(inputs.emplace(target(edge, graph), graph[edge].input_port).second);
        EXPECT_LT(graph[edge].output_port, mesh.node_port());
        EXPECT_LT(graph[edge].input_port, mesh.node_port());
    }
}

TEST_P(EveryMesh, RoutesAreMinimalAndInTheOrderOfTheDimensions) {
    for (std::int32_t source = 0; source < mesh.node_count(); ++source) {
        for (std::int32_t destination = 0; destination < mesh.node_count(); ++destination) {
            const auto nodes = path(mesh, source, destination);
            ASSERT_EQ(nodes.back(), destination);
            ASSERT_EQ(static_cast<std::int32_t>(nodes.size()) - 1,
                      manhattan(mesh, source, destination));
            std::size_t dimension = 0;
            for (std::size_t hop = 1; hop < nodes.size(); ++hop) {
                const auto& from = mesh.graph()[index_of(nodes[hop - 1])].coordinates;
                const auto& to = mesh.graph()[index_of(nodes[hop])].coordinates;
                std::size_t moved = 0;
                while (from[moved] == to[moved]) {
                    ++moved;
                }
                ASSERT_GE(moved, dimension) << source << " to " << destination;
                dimension = moved;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    OneToFourDimensions, EveryMesh,
    ::testing::Values(std::vector<std::int32_t>{8, 4}, std::vector<std::int32_t>{2},
                      std::vector<std::int32_t>{9}, std::vector<std::int32_t>{1, 5},
                      std::vector<std::int32_t>{3, 4, 5}, std::vector<std::int32_t>{2, 2, 2, 2}));

// LoGPC Section 3.3: the mean distance of Alewife's 4 x 8 mesh.
TEST(TopologyTest, MeanDistanceOfTheFourByEightMesh) {
    const Mesh mesh({8, 4});
    std::int64_t hops = 0;
    for (const auto& row : mesh.distances()) {
        for (const std::int32_t distance : row) {
            hops += distance;
        }
    }
    EXPECT_EQ(hops, 32 * 31 * 4) << "4.0 without the sender itself";
    EXPECT_EQ(static_cast<double>(hops) / (32 * 32), 3.875) << "with it";
}

TEST(TopologyTest, RoutersHaveAChannelToEachNeighbour) {
    const Mesh mesh({8, 4});
    EXPECT_EQ(mesh.node_count(), 32);
    EXPECT_EQ(mesh.port_count(), 5);
    EXPECT_EQ(mesh.node_port(), 4);
    std::vector<int> routers_of_degree(5);
    for (std::size_t node = 0; node < 32; ++node) {
        ++routers_of_degree[out_degree(node, mesh.graph())];
    }
    EXPECT_THAT(routers_of_degree, ElementsAre(0, 0, 4, 16, 12)) << "corners, edges, inside";
    EXPECT_EQ(num_edges(mesh.graph()), 2U * (7U * 4U + 8U * 3U)) << "one a direction";
}

TEST(TopologyTest, NumbersNodesWithXChangingFastest) {
    const Mesh mesh({8, 4});
    EXPECT_THAT(mesh.graph()[0].coordinates, ElementsAre(0, 0));
    EXPECT_THAT(mesh.graph()[7].coordinates, ElementsAre(7, 0));
    EXPECT_THAT(mesh.graph()[8].coordinates, ElementsAre(0, 1));
    EXPECT_THAT(mesh.graph()[31].coordinates, ElementsAre(7, 3));
}

TEST(TopologyTest, NumbersPortsUpAndDownEachDimension) {
    const Mesh mesh({3, 3, 3});
    const std::int32_t centre = 13;
    EXPECT_EQ(behind(mesh, centre, 0), 14);
    EXPECT_EQ(behind(mesh, centre, 1), 12);
    EXPECT_EQ(behind(mesh, centre, 2), 16);
    EXPECT_EQ(behind(mesh, centre, 3), 10);
    EXPECT_EQ(behind(mesh, centre, 4), 22);
    EXPECT_EQ(behind(mesh, centre, 5), 4);
    EXPECT_EQ(behind(mesh, 0, 1), -1) << "the mesh ends here";
}

TEST(TopologyTest, NamesChannelsByTheirDirection) {
    const Mesh mesh({2, 2, 2, 2});
    std::set<std::string> directions;
    for (const auto edge : boost::make_iterator_range(out_edges(0, mesh.graph()))) {
        directions.insert(mesh.graph()[edge].direction);
    }
    EXPECT_THAT(directions, ElementsAre("+d3", "+x", "+y", "+z"));
}

TEST(TopologyTest, XIsRoutedFirst) {
    const Mesh mesh({8, 4});
    EXPECT_THAT(path(mesh, 0, 10), ElementsAre(0, 1, 2, 10));
    EXPECT_THAT(path(mesh, 10, 0), ElementsAre(10, 9, 8, 0));
}

}  // namespace
}  // namespace weir::network
