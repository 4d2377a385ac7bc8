#include "network/topology/dot_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hw/input_limits.h"
#include "hw/testing/fuzz_target.h"
#include "hw/testing/names.h"
#include "network/topology/testing/edge_texts.h"

namespace weir::network {
namespace {

using weir::testing::Names;

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

GraphContent content_of_dot(const std::string& text) {
    hw::testing::note_seed("dot", text);
    return read_dot(text);
}

std::vector<std::string> dot_edges(const std::string& text) {
    return testing::edge_texts(content_of_dot(text));
}

std::string dot_fault(const std::string& text) {
    return testing::graph_fault_of([&] { static_cast<void>(content_of_dot(text)); });
}

std::vector<std::string> dot_kinds(const std::string& text) {
    std::vector<std::string> kinds;
    for (const GraphVertex& vertex : content_of_dot(text).vertices) {
        kinds.push_back(vertex.name + " " + vertex.kind);
    }
    return kinds;
}

std::vector<int> dot_latencies(const std::string& text) {
    std::vector<int> latencies;
    for (const GraphEdge& edge : content_of_dot(text).edges) {
        latencies.push_back(edge.latency);
    }
    return latencies;
}

TEST(DotReaderTest, ASubgraphAtAnEndOfAnEdgeStandsForItsVertices) {
    EXPECT_THAT(dot_edges("digraph { a -> { b c }; b -> a; c -> a; }"),
                ElementsAre("a->b", "a->c", "b->a", "c->a"));
    EXPECT_THAT(dot_edges("graph { b; a -- {c b} }"), ElementsAre("a--b", "a--c"))
        << "in the order of creation";
    EXPECT_THAT(dot_edges("graph { {a b} -- subgraph x {c d} }"),
                ElementsAre("a--c", "a--d", "b--c", "b--d"));
    EXPECT_THAT(dot_edges("graph { a -- {b -- c} -- d }"),
                ElementsAre("b--c", "a--b", "a--c", "b--d", "c--d"));
    EXPECT_THAT(dot_edges("graph { {} -- a }"), IsEmpty());
}

TEST(DotReaderTest, ASubgraphOfTheSameNameIsContinued) {
    EXPECT_THAT(dot_edges("graph { subgraph s {a} c -- subgraph s {b} }"),
                ElementsAre("c--a", "c--b"));
    EXPECT_THAT(dot_edges("graph { subgraph s {a} subgraph t { c -- subgraph s {b} } }"),
                ElementsAre("c--b"))
        << "in another subgraph, it is another";
}

TEST(DotReaderTest, ChainsAndListsOfVertices) {
    EXPECT_THAT(dot_edges("graph { a -- b -- c -- a [x=1] }"), ElementsAre("a--b", "b--c", "c--a"));
    EXPECT_THAT(dot_edges("digraph { a, b -> c, d }"), ElementsAre("a->c", "a->d", "b->c", "b->d"));
    EXPECT_THAT(dot_edges("graph { a -- b c -- d }"), ElementsAre("a--b", "c--d"))
        << "a semicolon may be missing";
}

TEST(DotReaderTest, DrawingsHaveNoEffect) {
    EXPECT_THAT(dot_edges("graph { rank=same; {rank=same; a; b} a -- b; a--c [dir=none]; }"),
                ElementsAre("a--b", "a--c"));
    EXPECT_THAT(dot_edges("graph { a [label=<<b>core</b> 0>]; a -- b -- c -- a; }"),
                ElementsAre("a--b", "b--c", "c--a"));
    EXPECT_THAT(dot_edges("graph { a:p:n -- b:\"x y\" [color=red; weight=2 style=bold][] }"),
                ElementsAre("a--b"));
}

TEST(DotReaderTest, StrictMergesEqualEdges) {
    EXPECT_THAT(dot_edges("strict graph { a -- b; b -- a; a -- b; b -- c; }"),
                ElementsAre("a--b", "b--c"));
    EXPECT_THAT(dot_edges("strict digraph { a -> b; b -> a; a -> b; }"),
                ElementsAre("a->b", "b->a"));
    EXPECT_THAT(dot_latencies("strict graph { a -- b [latency=3]; b -- a [latency=4]; }"),
                ElementsAre(4));
    EXPECT_THAT(dot_edges("graph { a -- b; a -- b }"), ElementsAre("a--b", "a--b"));
}

TEST(DotReaderTest, EdgesOfOneKeyAreMerged) {
    EXPECT_THAT(dot_edges("graph { a -- b [key=1]; b -- a [key=1]; a -- b [key=2]; a -- b }"),
                ElementsAre("a--b", "a--b", "a--b"));
    EXPECT_THAT(dot_edges("strict digraph { a -> b [key=1]; a -> b [key=2]; a -> b }"),
                ElementsAre("a->b"));
}

TEST(DotReaderTest, DefaultsHoldForWhatFollowsInTheirSubgraph) {
    EXPECT_THAT(dot_kinds("graph { a; node [kind=switch]; b; a; { node [kind=\"node\"] c b } d"
                          " e [kind=\"node\"] }"),
                ElementsAre("a ", "b switch", "c node", "d switch", "e node"));
    EXPECT_THAT(dot_latencies("graph { a--b; edge [latency=3]; a--c; {edge [latency=5] b--c} c--d;"
                              " d--e [latency=\"\"] }"),
                ElementsAre(kUnsetNumber, 3, 5, 3, kUnsetNumber));
    EXPECT_THAT(dot_latencies("graph { subgraph s {edge [latency=3]} subgraph s {a--b} }"),
                ElementsAre(3));
}

TEST(DotReaderTest, Strings) {
    EXPECT_THAT(dot_edges("graph { \"a\" + \"b\" -- \"c\\\nd\"; \"x \\\" y\" -- \"\\n\\\\\" }"),
                ElementsAre("ab--cd", "x \" y--\\n\\\\"));
    EXPECT_THAT(dot_edges("graph { <<i>a</i>> -- <b> + \"c\"; \"node\" -- \"#a\" }"),
                ElementsAre("<i>a</i>--bc", "node--#a"));
}

TEST(DotReaderTest, NamesAndNumerals) {
    EXPECT_THAT(dot_edges("graph { 1--2; 1.--.5---3; a_1--\xC3\xA9 }"),
                ElementsAre("1--2", "1.--.5", ".5---3", "a_1--\xC3\xA9"));
    EXPECT_THAT(dot_edges("graph { 1.5a -- b }"), ElementsAre("a--b"))
        << "the numeral is a statement of its own";
    EXPECT_THAT(dot_edges("graph { charset=latin1; \xE9 -- b }"), ElementsAre("\xC3\xA9--b"));
}

TEST(DotReaderTest, KeywordsMayHaveCapitals) {
    EXPECT_THAT(dot_edges("STRICT Graph g { Node [x=1] SubGraph s {a} -- b; a -- b }"),
                ElementsAre("a--b"));
}

TEST(DotReaderTest, CommentsAndWhatFollowsTheGraph) {
    EXPECT_THAT(dot_edges("# { \n graph { a /* -- x */ // }\n -- b # }\n } // end\n@ rest"),
                ElementsAre("a--b"));
}

TEST(DotReaderTest, AVertexMayHaveANameBesideItsId) {
    EXPECT_THAT(dot_edges("graph { a [name=east]; a -- b; }"), ElementsAre("east--b"));
}

// Texts that Graphviz refuses, too, with the place of the fault.
TEST(DotReaderTest, FaultsHaveLineAndColumn) {
    const std::vector<std::pair<std::string, std::string>> faults{
        {"", "1:1: "},
        {"a -- b", "1:1: "},
        {"strict {}", "1:8: "},
        {"graph {\n a -- b\n", "3:1: "},
        {"graph { a -> b }", "1:11: "},
        {"digraph {\n a -- b }", "2:4: "},
        {"graph { a;; b }", "1:11: "},
        {"graph { a -- }", "1:14: "},
        {"graph { a [bold] }", "1:16: "},
        {"graph { a [x=1,,y=2] }", "1:16: "},
        {"graph { node }", "1:14: "},
        {"graph { a -- subgraph x }", "1:25: "},
        {"graph { a + \"b\" }", "1:11: "},
        {"graph { a -- \"b }", "1:14: "},
        {"graph { a -- <b<i> }", "1:14: "},
        {"graph { a -- b /* x }", "1:22: "},
        {"graph { a -- node }", "1:14: "},
        {"graph { a-b }", "1:10: "},
        {"graph { a -- b } c", "1:18: "},
    };
    for (const auto& [text, place] : faults) {
        EXPECT_THAT(dot_fault(text), StartsWith(place)) << text;
        EXPECT_THAT(dot_fault(text), Names("accepted")) << text;
    }
}

TEST(DotReaderTest, RefusesASecondGraph) {
    EXPECT_THAT(dot_fault("graph { a -- b }\ngraph { c -- d }"),
                Names("2:1", "second", "graph", "one"));
}

TEST(DotReaderTest, RefusesAnAttributeWhereItHasNoMeaning) {
    EXPECT_THAT(dot_fault("graph { a [latency=3]; a -- b }"), Names("1:12", "latency", "vertex"));
    EXPECT_THAT(dot_fault("graph { node [latency=3]; a -- b }"), Names("latency", "vertex"));
    EXPECT_THAT(dot_fault("graph { latency=3; a -- b }"), Names("1:9", "latency", "graph", "edge"));
    EXPECT_THAT(dot_fault("graph { a -- b [kind=switch] }"), Names("kind", "edge", "vertex"));
    EXPECT_THAT(dot_fault("graph { {a} [kind=switch] }"), Names("kind", "subgraph", "vertex"));
    EXPECT_THAT(dot_edges("graph { name=x; a -- b [name=y] }"), ElementsAre("a--b"));
}

TEST(DotReaderTest, NumbersHaveARange) {
    for (const std::string value : {"x", "1.5", "-1", "4096", "1e9", "nan", "0 1"}) {
        EXPECT_THAT(dot_fault("graph { a -- b [output_port=\"" + value + "\"]}"),
                    Names("1:17", "output_port", "whole", "0", "4095"))
            << value;
    }
    EXPECT_THAT(dot_fault("graph { edge [latency=0] }"), Names("latency", "1", "10000"));
    EXPECT_THAT(dot_latencies("graph { a -- b [latency=12.0]; b -- c [latency=\" +7 \"] }"),
                ElementsAre(12, 7));
}

TEST(DotReaderTest, NeitherDepthNorEdgesAreEndless) {
    const std::string braces(hw::kGraphLimits.levels, '{');
    EXPECT_THAT(dot_edges("graph " + braces + "a--b" + std::string(braces.size(), '}')),
                ElementsAre("a--b"));
    EXPECT_THAT(dot_fault("graph \n" + braces + "{"), Names("2:101", "deep", "100"));
    std::string text = "strict digraph { subgraph s {";
    for (int i = 0; i < 2'001; ++i) {
        text += std::to_string(i) + " ";
    }
    text += "}\n subgraph a {0} -> subgraph b {0}\n";
    for (int i = 0; i < 2'000; ++i) {
        text += "subgraph s {} -> subgraph b {}\n";
    }
    EXPECT_THAT(testing::graph_fault_of([&] { static_cast<void>(read_dot(text + "}")); }),
                Names("2002:15", "edges", "4000000"));
    EXPECT_THAT(dot_fault(std::string("graph {\n a\0 -- b }", 18)), StartsWith("2:3: "));
}

}  // namespace
}  // namespace weir::network
