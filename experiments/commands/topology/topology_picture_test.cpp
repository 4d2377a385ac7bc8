#include "experiments/commands/topology/topology_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "network/topology/butterfly.h"
#include "network/topology/fat_tree.h"
#include "network/topology/graph_file.h"
#include "network/topology/lattice.h"

namespace weir::experiments::commands {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string picture_of(const network::Topology& topology) {
    return topology_picture(topology, network::bisection_of(topology));
}

std::string picture_of_dot(const std::string& text) {
    std::istringstream file(text);
    return picture_of(network::read_graph(file, network::GraphFormat::kDot, "a graph"));
}

std::size_t count_of(const std::string& part, const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos;
         at = text.find(part, at + part.size())) {
        ++count;
    }
    return count;
}

// Lines but for the legend's, the bent ones among them, nodes, switches.
struct DrawnParts {
    std::size_t lines;
    std::size_t bent;
    std::size_t nodes;
    std::size_t switches;
    bool operator==(const DrawnParts&) const = default;
};
DrawnParts parts_of(const std::string& svg) {
    return {count_of("class=\"c\"", svg) - count_of("h18\"", svg),
            count_of("C", svg) - 2 * count_of("#CC", svg),  // but for a colour
            count_of("<circle", svg), count_of("<rect class=\"v\"", svg)};
}

TEST(TopologyPictureTest, AMeshHasALineForBothChannels) {
    const std::string svg = picture_of(network::mesh_topology({8, 4}));
    EXPECT_EQ(parts_of(svg), (DrawnParts{7 * 4 + 8 * 3, 0, 32, 0}));
    EXPECT_THAT(svg, HasSubstr(">mesh 8 x 4</text>"));
    EXPECT_THAT(svg, HasSubstr("<title>node 31, router (7,3)</title>"));
    EXPECT_EQ(count_of("#a8d8f0", svg), 16U) << "half of the nodes";
    EXPECT_EQ(count_of("#f7d08a", svg), 16U);
}

TEST(TopologyPictureTest, ATorusIsBentAroundItsEnds) {
    EXPECT_EQ(parts_of(picture_of(network::torus_topology({8, 4}))),
              (DrawnParts{64, 4 + 8, 32, 0}));
    EXPECT_EQ(parts_of(picture_of(network::torus_topology({2}))), (DrawnParts{2, 1, 2, 0}));
}

TEST(TopologyPictureTest, TheThirdDimensionIsBent) {
    EXPECT_EQ(parts_of(picture_of(network::hypercube_topology(4))), (DrawnParts{32, 16, 16, 0}));
    EXPECT_EQ(parts_of(picture_of(network::mesh_topology({2, 2, 3}))), (DrawnParts{20, 8, 12, 0}));
}

TEST(TopologyPictureTest, AButterflysNodesAreAtBothEnds) {
    const std::string svg = picture_of(network::butterfly_topology(2, 3));
    EXPECT_EQ(parts_of(svg), (DrawnParts{4 * 8, 0, 16, 12}));
    EXPECT_THAT(svg, HasSubstr("<title>node 5, sending</title>"));
    EXPECT_THAT(svg, HasSubstr("<title>node 5, receiving</title>"));
}

TEST(TopologyPictureTest, AFatTreeHasALineForBothChannels) {
    EXPECT_EQ(parts_of(picture_of(network::fat_tree_topology(4, 16))), (DrawnParts{32, 0, 16, 8}));
}

TEST(TopologyPictureTest, ArrowsAreForChannelsWithNoneBack) {
    const std::string ring = picture_of_dot("digraph { a -> b; b -> c; c -> a; }");
    EXPECT_EQ(parts_of(ring), (DrawnParts{3, 0, 3, 0}));
    EXPECT_EQ(count_of("marker-end", ring), 3U);
    EXPECT_EQ(count_of("marker-end", picture_of_dot("graph { a -- b; b -- c; }")), 0U);
}

TEST(TopologyPictureTest, ASwitchIsInTheMiddleOfItsNodes) {
    const std::string star = picture_of_dot(
        R"(graph { s [kind=switch]; a [kind="node"]; b [kind="node"]; a -- s; b -- s; })");
    EXPECT_EQ(parts_of(star), (DrawnParts{2, 0, 2, 1}));
    EXPECT_THAT(star, HasSubstr("x=\"-7.0\" y=\"-7.0\""));
}

TEST(TopologyPictureTest, NamesAreEscaped) {
    const std::string svg = picture_of_dot(R"(graph { "<a&b>" -- c; })");
    EXPECT_THAT(svg, HasSubstr("&lt;a&amp;b&gt;</title>"));
    EXPECT_THAT(svg, Not(HasSubstr("<a&b>")));
}

}  // namespace
}  // namespace weir::experiments::commands
