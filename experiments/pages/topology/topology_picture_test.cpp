#include "experiments/pages/topology/topology_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "experiments/pages/testing/browser.h"
#include "network/topology/butterfly.h"
#include "network/topology/fat_tree.h"
#include "network/topology/graph_file.h"
#include "network/topology/lattice.h"

namespace weir::experiments::pages {
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

// Numbers of lines (without the legend's), bent lines, nodes and switches.
struct DrawnParts {
    std::size_t lines;
    std::size_t bent;
    std::size_t nodes;
    std::size_t switches;
    bool operator==(const DrawnParts&) const = default;
};
DrawnParts parts_of(const std::string& svg) {
    // Each colour has two letters C, which are no curves.
    return {count_of(svg, "class=\"c\"") - count_of(svg, "h18\""),
            count_of(svg, "C") - 2 * count_of(svg, "#CC"), count_of(svg, "<circle"),
            count_of(svg, "<rect class=\"v\"")};
}

TEST(TopologyPictureTest, AMeshHasALineForBothChannels) {
    const std::string svg = picture_of(network::mesh_topology({8, 4}));
    EXPECT_EQ(parts_of(svg), (DrawnParts{7 * 4 + 8 * 3, 0, 32, 0}));
    EXPECT_THAT(svg, HasSubstr(">mesh 8 x 4</text>"));
    EXPECT_THAT(svg, HasSubstr("<title>node 31, router (7,3)</title>"));
    EXPECT_EQ(count_of(svg, "#a8d8f0"), 16U) << "half of the nodes";
    EXPECT_EQ(count_of(svg, "#f7d08a"), 16U);
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
    EXPECT_EQ(count_of(ring, "marker-end"), 3U);
    EXPECT_EQ(count_of(picture_of_dot("graph { a -- b; b -- c; }"), "marker-end"), 0U);
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
}  // namespace weir::experiments::pages
