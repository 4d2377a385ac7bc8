// Edges of graph files, compared with those that Graphviz, networkx and igraph find in them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "hw/testing/fuzz_target.h"
#include "hw/testing/needed_tool.h"
#include "hw/testing/test_cost.h"
#include "hw/testing/test_folder.h"
#include "network/topology/dot_reader.h"
#include "network/topology/graphml_reader.h"

namespace weir::network {
namespace {

WEIR_TESTS_COST("GraphReferenceTest", 3);

// "a b" for each edge, in any order; the ends of an undirected edge in alphabetical order.
using Edges = std::multiset<std::string>;

std::string edge_text(std::string source, std::string target, bool is_directed) {
    if (!is_directed && target < source) {
        std::swap(source, target);
    }
    return source + " " + target;
}

Edges edges_of(const GraphContent& content) {
    Edges edges;
    for (const GraphEdge& edge : content.edges) {
        edges.insert(edge_text(content.vertices[edge.source].name,
                               content.vertices[edge.target].name, edge.is_directed));
    }
    return edges;
}

std::string text_of_file(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::string& name, const std::string& text) {
    std::ofstream(name, std::ios::binary) << text;
}

class GraphReferenceTest : public ::testing::Test {
    hw::testing::CurrentTestFolder folder_;
};

// Edges by Graphviz; nullopt if it refuses the text or finds another number of graphs than one.
std::optional<Edges> edges_by_graphviz(const std::string& text) {
    write_file("a.dot", text);
    const int status = std::system(
        R"(gvpr 'BEG_G { printf("\002") } E { printf("\003%s\004%s\004%d", $.tail.name, )"
        R"($.head.name, isDirect($G)) }' a.dot >edges 2>errors)");
    EXPECT_EQ(status, 0);
    const std::string output = text_of_file("edges");
    if (text_of_file("errors").find("syntax error") != std::string::npos ||
        std::count(output.begin(), output.end(), '\2') != 1) {
        return std::nullopt;
    }
    Edges edges;
    std::istringstream items(output);
    std::string item;
    std::getline(items, item, '\3');
    while (std::getline(items, item, '\3')) {
        const std::size_t first = item.find('\4');
        const std::size_t second = item.find('\4', first + 1);
        edges.insert(edge_text(item.substr(0, first), item.substr(first + 1, second - first - 1),
                               item.substr(second + 1) == "1"));
    }
    return edges;
}

// True if Graphviz reads the text.
bool expect_like_graphviz(const std::string& text) {
    std::optional<Edges> edges;
    std::string fault;
    try {
        edges = edges_of(read_dot(text));
    } catch (const GraphFault& refusal) {
        fault = refusal.what();
    }
    const std::optional<Edges> expected = edges_by_graphviz(text);
    EXPECT_EQ(edges, expected) << text << "\n" << fault;
    return expected.has_value();
}

const std::vector<std::string> kDotTexts{
    "digraph { a -> { b c }; b -> a; c -> a; }",
    "graph { rank=same; {rank=same; a; b} a -- b; a--c [dir=none]; }",
    "graph { a [label=<<b>core</b> 0>]; a -- b -- c -- a; }",
    "strict graph { a -- b; b -- a; a -- b; b -- c; a -- a }",
    "Digraph \"x y\" { a, b -> c:p:n, \"d\" + \"e\" -> {f; g -> h} [w=2; x=\"1\"][y=3] i }",
    "graph { subgraph s {a b} subgraph s {c} d -- subgraph s {e} -- {subgraph s {f}} }",
    "graph { a--b [key=1]; b--a [key=1]; a--b [key=2]; a--b } # rest",
    "graph { 1--2; -1 -- .5 -- 3. -- 1.5a; \"l\\\nm\" -- \"q\\\"r\\\\\" /* { */ -- <<i>z</i>> // "
    "}\n}",
    "graph { node [a=b] edge [c=d]; graph [e=f] x = y; z -- \xC3\xA9 -- \xE9t\xE9; }\n@ graph {",
};

TEST_F(GraphReferenceTest, DotTextsHaveTheEdgesOfGraphviz) {
    if (!hw::testing::is_installed("gvpr")) {
        GTEST_SKIP() << "graphviz is not installed";
    }
    for (const std::string& text : kDotTexts) {
        EXPECT_TRUE(expect_like_graphviz(text)) << text;
    }
}

// A byte 0 is left out: Graphviz ignores what follows it in its line.
TEST_F(GraphReferenceTest, ChangedDotTextsAreReadOrRefusedAsByGraphviz) {
    if (!hw::testing::is_installed("gvpr")) {
        GTEST_SKIP() << "graphviz is not installed";
    }
    constexpr int kTexts = 150;
    hw::testing::Mutator mutator(
        kDotTexts, {"--", "->", "{",         "}",     "[",       "]",  ";", ",",  "=", "\"",
                    "<",  ">",  "subgraph ", "node ", "strict ", "/*", "#", "\\", "+", ":"},
        1);
    int accepted = 0;
    for (int i = 0; i < kTexts; ++i) {
        const std::string text = mutator.next();
        if (text.find('\0') == std::string::npos) {
            accepted += expect_like_graphviz(text) ? 1 : 0;
        }
    }
    EXPECT_GT(accepted, kTexts / 20);
    EXPECT_LT(accepted, kTexts - kTexts / 20);
}

// Writes files by networkx and igraph, and the edges that both find in these and other files. One
// process does all, since it takes a second to begin.
constexpr const char* kPython = R"(
import igraph, networkx, sys
def edges(name, pairs, directed):
    with open(name, 'w') as file:
        for pair in pairs:
            file.write(' '.join(pair if directed else sorted(pair)) + '\n')
def by_networkx(name):
    graph = networkx.read_graphml(name)
    edges(name + '.networkx', graph.edges(), graph.is_directed())
def by_igraph(name):
    graph = igraph.Graph.Read_GraphML(name)
    pairs = [(graph.vs[edge.source]['id'], graph.vs[edge.target]['id']) for edge in graph.es]
    edges(name + '.igraph', pairs, graph.is_directed())
graph = networkx.Graph([('a b', 'Zürich'), ('Zürich', 'c,d')])
graph.add_edge('c,d', 'a b', latency=3, output_port=2.0, up=True)
networkx.write_graphml(graph, 'graph.graphml')
graph = networkx.MultiDiGraph([(1, 2), (1, 2), (2, 3), (3, 1)], name='ring')
networkx.write_graphml(graph, 'multi.graphml')
graph = igraph.Graph.Ring(5, directed=True)
graph.es['latency'] = [1, None, 2.0, None, 3]
graph.es['label'] = ['<a>', 'b', 'c', 'd', 'e']
graph.write_graphml('ring.graphml')
igraph.Graph.Full(4).write_graphml('full.graphml')
for name in 'graph', 'multi', 'ring', 'full':
    by_networkx(name + '.graphml')
    by_igraph(name + '.graphml')
for name in sys.argv[1:]:
    by_networkx(name)
    by_igraph(name)
)";

constexpr const char* kYed = R"(<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml"
 xmlns:yed="http://www.yworks.com/xml/yed/3">
  <key for="port" id="d0" yfiles.type="portgraphics"/>
  <key attr.name="url" attr.type="string" for="node" id="d1"/>
  <key for="node" id="d2" yfiles.type="nodegraphics"/>
  <key attr.name="latency" attr.type="int" for="edge" id="d3"><default>1</default></key>
  <graph edgedefault="directed" id="G">
    <node id="n0"><data key="d1" xml:space="preserve"><![CDATA[http://x/?a&b]]></data></node>
    <node id="n1"><data key="d1"/></node><node id="n2"/>
    <edge id="e0" source="n0" target="n1"/><edge id="e1" source="n1" target="n2">
      <data key="d3">7</data></edge>
    <edge id="e2" source="n2" target="n0"/><edge id="e3" source="n0" target="n1"/>
  </graph>
</graphml>
)";

Edges lines_of(const std::string& name) {
    Edges lines;
    std::ifstream file(name);
    for (std::string line; std::getline(file, line);) {
        lines.insert(line);
    }
    return lines;
}

TEST_F(GraphReferenceTest, GraphMlFilesHaveTheEdgesOfNetworkxAndIgraph) {
    if (std::system("/usr/bin/python3 -c 'import igraph, networkx' 2>errors") != 0) {
        GTEST_SKIP() << "python3-networkx or python3-igraph is not installed";
    }
    write_file("files.py", kPython);
    write_file("yed.graphml", kYed);
    ASSERT_EQ(std::system("/usr/bin/python3 files.py yed.graphml >errors 2>&1"), 0)
        << text_of_file("errors");
    for (const std::string name : {"graph", "multi", "ring", "full", "yed"}) {
        const std::string file = name + ".graphml";
        const Edges edges = edges_of(read_graphml(text_of_file(file)));
        EXPECT_FALSE(edges.empty());
        EXPECT_EQ(edges, lines_of(file + ".networkx")) << name;
        EXPECT_EQ(edges, lines_of(file + ".igraph")) << name;
    }
}

}  // namespace
}  // namespace weir::network
