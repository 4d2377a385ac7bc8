#include "network/topology/layout.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "hw/testing/names.h"
#include "network/topology/butterfly.h"
#include "network/topology/dragonfly.h"
#include "network/topology/fat_tree.h"
#include "network/topology/lattice.h"
#include "network/topology/testing/dot_text.h"

namespace weir::network {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::topology_of_dot;
using ::testing::UnorderedElementsAre;
using weir::testing::Names;

Layout layout_of(const Topology& topology) { return topology.family().layout(topology); }

// Position as text, for example "44,0".
std::string text_of(Layout::Place place) {
    return fmt::format("{},{}", std::lround(place.x), std::lround(place.y));
}

// Lines as texts such as "0,0 to 44,0", with "bend 20", "arrow" and "colour 1" for lines that have
// them.
std::vector<std::string> lines_of(const Layout& layout) {
    std::vector<std::string> texts;
    texts.reserve(layout.lines.size());
    for (const Layout::Line& line : layout.lines) {
        texts.push_back(text_of(line.from) + " to " + text_of(line.to) +
                        (line.bend == 0.0 ? "" : fmt::format(" bend {:.0f}", line.bend)) +
                        (line.has_arrow ? " arrow" : "") +
                        (line.colour ? fmt::format(" colour {}", *line.colour) : ""));
    }
    return texts;
}

// Marks as texts: "0,0 node 3: title" for a node, "0,0: title" for a switch.
std::vector<std::string> marks_of(const Layout& layout) {
    std::vector<std::string> texts;
    texts.reserve(layout.marks.size());
    for (const Layout::Mark& mark : layout.marks) {
        texts.push_back(text_of(mark.at) + (mark.node ? fmt::format(" node {}", *mark.node) : "") +
                        ": " + mark.title);
    }
    return texts;
}

TEST(GridLayoutTest, AMeshIsAGridWithALineBetweenNeighbours) {
    const Layout layout = layout_of(mesh_topology({3, 2}));
    EXPECT_THAT(lines_of(layout),
                UnorderedElementsAre("0,0 to 44,0 colour 0", "44,0 to 88,0 colour 0",
                                     "0,44 to 44,44 colour 0", "44,44 to 88,44 colour 0",
                                     "0,0 to 0,44 colour 1", "44,0 to 44,44 colour 1",
                                     "88,0 to 88,44 colour 1"));
    EXPECT_THAT(
        marks_of(layout),
        ElementsAre("0,0 node 0: node 0, router (0,0)", "44,0 node 1: node 1, router (1,0)",
                    "88,0 node 2: node 2, router (2,0)", "0,44 node 3: node 3, router (0,1)",
                    "44,44 node 4: node 4, router (1,1)", "88,44 node 5: node 5, router (2,1)"));
    EXPECT_THAT(layout.legend, ElementsAre(Pair("x", 0), Pair("y", 1)));
}

TEST(GridLayoutTest, ATorusClosesEachRowWithABend) {
    EXPECT_THAT(lines_of(layout_of(torus_topology({3}))),
                UnorderedElementsAre("0,0 to 44,0 colour 0", "44,0 to 88,0 colour 0",
                                     "88,0 to 0,0 bend 20 colour 0"));
}

TEST(GridLayoutTest, AHypercubesDimensionsAreItsBits) {
    const Layout layout = layout_of(hypercube_topology(2));
    EXPECT_THAT(lines_of(layout),
                UnorderedElementsAre("0,0 to 44,0 colour 0", "0,44 to 44,44 colour 0",
                                     "0,0 to 0,44 colour 1", "44,0 to 44,44 colour 1"));
    EXPECT_THAT(layout.legend, ElementsAre(Pair("bit 0", 0), Pair("bit 1", 1)));
}

TEST(GridLayoutTest, AThirdAndFourthDimensionStepOverTheWholeGridBelow) {
    const Layout layout = layout_of(mesh_topology({3, 2, 2, 2}));
    EXPECT_THAT(lines_of(layout), Contains("0,0 to 154,0 bend 15 colour 2"));
    EXPECT_THAT(lines_of(layout), Contains("88,44 to 242,44 bend 15 colour 2"));
    EXPECT_THAT(lines_of(layout), Contains("0,0 to 0,110 bend 15 colour 3"));
}

TEST(GridLayoutTest, EachTwoDimensionsMoreBendFurtherUpToTheThirdPair) {
    const Layout layout = layout_of(mesh_topology({1, 1, 1, 1, 2, 1, 2, 1, 2}));
    // With extents of 1, each step is half a pitch longer than the step two dimensions below.
    EXPECT_THAT(lines_of(layout), Contains("0,0 to 88,0 bend 21 colour 4"));
    EXPECT_THAT(lines_of(layout), Contains("0,0 to 198,0 bend 27 colour 6"));
    EXPECT_THAT(lines_of(layout), Contains("0,0 to 418,0 bend 27 colour 8"));
    EXPECT_THAT(layout.legend, ElementsAre(Pair("d4", 4), Pair("d6", 6), Pair("d8", 8)));
}

TEST(ButterflyLayoutTest, StagesGoFromLeftToRightBetweenThoseWhoSendAndThoseWhoReceive) {
    // The first stage joins rows whose numbers differ in the first digit: 0 and 2, 1 and 3.
    const Layout layout = layout_of(butterfly_topology(2, 2));
    EXPECT_THAT(lines_of(layout),
                UnorderedElementsAre("0,13 to 110,26", "0,39 to 110,26", "0,65 to 110,78",
                                     "0,91 to 110,78", "110,26 to 220,26", "110,26 to 220,78",
                                     "110,78 to 220,26", "110,78 to 220,78", "220,26 to 330,13",
                                     "220,26 to 330,39", "220,78 to 330,65", "220,78 to 330,91"));
    EXPECT_THAT(
        marks_of(layout),
        UnorderedElementsAre("0,13 node 0: node 0, sending", "0,65 node 1: node 1, sending",
                             "0,39 node 2: node 2, sending", "0,91 node 3: node 3, sending",
                             "330,13 node 0: node 0, receiving", "330,39 node 1: node 1, receiving",
                             "330,65 node 2: node 2, receiving", "330,91 node 3: node 3, receiving",
                             "110,26: stage 0 switch 0", "110,78: stage 0 switch 1",
                             "220,26: stage 1 switch 0", "220,78: stage 1 switch 1"));
    EXPECT_THAT(layout.legend, IsEmpty());
}

TEST(FatTreeLayoutTest, LevelsStandAboveTheNodesEachOverTheWholeWidth) {
    const Layout layout = layout_of(fat_tree_topology(2, 4, {2}));
    EXPECT_THAT(lines_of(layout),
                UnorderedElementsAre("13,180 to 26,90", "39,180 to 26,90", "65,180 to 78,90",
                                     "91,180 to 78,90", "26,90 to 26,0", "26,90 to 78,0",
                                     "78,90 to 26,0", "78,90 to 78,0"));
    EXPECT_THAT(marks_of(layout), ElementsAre("13,180 node 0: node 0", "39,180 node 1: node 1",
                                              "65,180 node 2: node 2", "91,180 node 3: node 3",
                                              "26,90: level 0 switch 0", "78,90: level 0 switch 1",
                                              "26,0: level 1 switch 0", "78,0: level 1 switch 1"));
}

TEST(FatTreeLayoutTest, TheLevelWithMostSwitchesMakesItWide) {
    // The four switches of the upper level need more width than the four nodes.
    const std::vector<std::string> marks = marks_of(layout_of(fat_tree_topology(2, 4, {4})));
    EXPECT_THAT(marks, Contains("22,180 node 0: node 0"));
    EXPECT_THAT(marks, Contains("132,90: level 0 switch 1"));
    EXPECT_THAT(marks, Contains("154,0: level 1 switch 3"));
}

TEST(CircleLayoutTest, RoutersOfADirectNetworkStandOnACircleFromTheTopOn) {
    const Layout layout = layout_of(topology_of_dot("graph { a -- b; b -- c; c -- d; }"));
    EXPECT_THAT(lines_of(layout),
                UnorderedElementsAre("0,-130 to 130,0", "130,0 to 0,130", "0,130 to -130,0"));
    EXPECT_THAT(marks_of(layout),
                ElementsAre(Names("0,-130 node 0:", "a"), Names("130,0 node 1:", "b"),
                            Names("0,130 node 2:", "c"), Names("-130,0 node 3:", "d")));
}

TEST(CircleLayoutTest, AChannelWithoutOneBackHasAnArrow) {
    EXPECT_THAT(
        lines_of(layout_of(topology_of_dot("digraph { a -> b; b -> a; b -> c; c -> d; d -> a; }"))),
        UnorderedElementsAre("0,-130 to 130,0", "130,0 to 0,130 arrow", "0,130 to -130,0 arrow",
                             "-130,0 to 0,-130 arrow"));
}

TEST(CircleLayoutTest, ManyRoutersMakeTheCircleLarger) {
    std::string ring;
    for (int i = 0; i < 40; ++i) {
        ring += fmt::format("n{} -- n{};", i, (i + 1) % 40);
    }
    // Each of the 40 nodes has 0.8 times 44 pixels of the circle, whose circumference is 1,408
    // pixels.
    EXPECT_THAT(marks_of(layout_of(topology_of_dot("graph {" + ring + "}"))).front(),
                Names("0,-224 node 0:", "n0"));
}

TEST(CircleLayoutTest, NodesOfTheirOwnStandOnALargerCircleBesideTheirSwitch) {
    const Layout layout = layout_of(dragonfly_topology({2, 1, 2}));
    EXPECT_THAT(lines_of(layout),
                UnorderedElementsAre("0,-42 to 0,42", "0,-42 to -92,-92", "0,-42 to 92,-92",
                                     "0,42 to 92,92", "0,42 to -92,92"));
    EXPECT_THAT(marks_of(layout), ElementsAre("-92,-92 node 0: node 0", "92,-92 node 1: node 1",
                                              "0,-42: group 0 router 0", "92,92 node 2: node 2",
                                              "-92,92 node 3: node 3", "0,42: group 1 router 0"));
}

TEST(CircleLayoutTest, ASwitchWithManyNodesMakesTheCircleLarger) {
    // Each of three switches has room for ten nodes: the circumference is 30 times 0.8 of 44
    // pixels.
    const Layout layout = layout_of(dragonfly_topology({10, 1, 3}));
    EXPECT_THAT(marks_of(layout), Contains("0,-80: group 0 router 0"));
}

TEST(CircleLayoutTest, ASingleSwitchIsInTheMiddle) {
    const Layout layout = layout_of(topology_of_dot(
        "graph { s [kind=\"switch\"]; a [kind=\"node\"]; b [kind=\"node\"]; a -- s; "
        "s -- b; }"));
    EXPECT_THAT(marks_of(layout),
                UnorderedElementsAre("0,0: s", "-130,0 node 0: a", "130,0 node 1: b"));
}

}  // namespace
}  // namespace weir::network
