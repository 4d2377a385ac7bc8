#include "network/topology/graph_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "hw/testing/fuzz_target.h"
#include "hw/testing/names.h"
#include "network/topology/metrics.h"
#include "network/topology/testing/dot_text.h"

namespace weir::network {
namespace {

using weir::testing::Names;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Topology dot_topology(const std::string& text) {
    hw::testing::note_seed("dot", text);
    return testing::topology_of_dot(text);
}

Topology graphml_topology(const std::string& text) {
    hw::testing::note_seed("graphml", text);
    std::istringstream file(text);
    return read_graph(file, GraphFormat::kGraphMl, "a graph");
}

// The message of the fault, with what is accepted.
std::string fault_in(const std::string& text, GraphFormat format = GraphFormat::kDot) {
    hw::testing::note_seed(format == GraphFormat::kDot ? "dot" : "graphml", text);
    std::istringstream file(text);
    try {
        static_cast<void>(read_graph(file, format, "a graph"));
    } catch (const GraphFault& fault) {
        EXPECT_THAT(fault.what(), HasSubstr("; accepted: "));
        return fault.what();
    }
    return "no fault";
}

// "a.0 > b.1 east": sender, output port, receiver, input port, direction.
std::vector<std::string> channel_texts(const Topology& topology) {
    std::vector<std::string> found;
    const TopologyGraph& graph = topology.graph();
    for (const Channel channel : channels_of(graph)) {
        const ChannelEdge& edge = graph[channel];
        found.push_back(graph[source(channel, graph)].name + "." +
                        std::to_string(edge.output_port) + " > " +
                        graph[target(channel, graph)].name + "." + std::to_string(edge.input_port) +
                        " " + edge.direction);
    }
    return found;
}

// Name of the node at a router in a file without kinds.
std::string node_of(const std::string& router) { return "node of " + router; }

TEST(GraphFileTest, AByteOrderMarkIsSkipped) {
    EXPECT_EQ(dot_topology("\xEF\xBB\xBF"
                           "digraph { a -> b; b -> a; }")
                  .node_count(),
              2U);
}

TEST(GraphFileTest, VerticesWithoutAKindAreRoutersWithANodeEach) {
    const Topology topology = dot_topology("digraph { a -> b; b -> a; }");
    EXPECT_EQ(topology.switch_count(), 2U);
    EXPECT_EQ(topology.node_count(), 2U);
    EXPECT_THAT(
        channel_texts(topology),
        ElementsAre("a.0 > b.0 to b", "a.1 > " + node_of("a") + ".0 ejection", "b.0 > a.0 to a",
                    "b.1 > " + node_of("b") + ".0 ejection", node_of("a") + ".0 > a.1 injection",
                    node_of("b") + ".0 > b.1 injection"));
    EXPECT_THAT(hops_from(topology, 0), ElementsAre(0, 1));
}

TEST(GraphFileTest, AnUndirectedEdgeIsAChannelEachWay) {
    const Topology topology = dot_topology("graph { a -- b [direction=wire]; b -- c; }");
    EXPECT_EQ(hop_channels_of(topology), 4U);
    EXPECT_THAT(hops_from(topology, 0), ElementsAre(0, 1, 2));
}

TEST(GraphFileTest, DotVerticesAreInTheOrderOfTheirIds) {
    const Topology topology = dot_topology("graph { n10 -- n2; n2 -- n1; n10 -- n9; }");
    std::vector<std::string> names;
    for (std::size_t i = 0; i < topology.switch_count(); ++i) {
        names.push_back(topology.graph()[i].name);
    }
    EXPECT_THAT(names, ElementsAre("n1", "n2", "n9", "n10"));
    EXPECT_THAT(hops_from(topology, 0), ElementsAre(0, 1, 3, 2));
}

TEST(GraphFileTest, NodesComeAfterSwitches) {
    const Topology topology = dot_topology(
        R"(graph { p [kind="node"]; s [kind=switch, color=red]; q [kind="node"]; p -- s; s -- q; })");
    EXPECT_EQ(topology.switch_count(), 1U);
    EXPECT_EQ(topology.graph()[0].name, "s");
    EXPECT_EQ(topology.graph()[topology.vertex_of_node(0)].name, "p");
    EXPECT_EQ(topology.graph()[topology.vertex_of_node(1)].name, "q");
    EXPECT_THAT(hops_from(topology, 0), ElementsAre(0, 2)) << "the nodes' channels are counted";
}

TEST(GraphFileTest, ANodePassesNothingOn) {
    EXPECT_THAT(fault_in(R"(graph { a [kind="node"]; b [kind="node"]; c [kind="node"];
                            s [kind=switch]; t [kind=switch]; a -- s; s -- b; b -- t; t -- c; })"),
                Names("no", "\"a\"", "\"c\""));
}

TEST(GraphFileTest, ChannelsHavePortsAndDirections) {
    const Topology topology = dot_topology(
        "digraph { a -> b [direction=east, output_port=3, input_port=1];"
        " b -> a [input_port=0]; a -> b; }");
    EXPECT_THAT(
        channel_texts(topology),
        ElementsAre("a.3 > b.1 east", "a.0 > b.0 to b", "a.4 > " + node_of("a") + ".0 ejection",
                    "b.0 > a.0 to a", "b.2 > " + node_of("b") + ".0 ejection",
                    node_of("a") + ".0 > a.4 injection", node_of("b") + ".0 > b.2 injection"));
}

// A channel without a latency has 0 cycles in the topology, which stands for the network's own
// delay.
TEST(GraphFileTest, ChannelsHaveLatencies) {
    const Topology topology = dot_topology("graph { a -- b [latency=12]; b -- c; }");
    std::vector<std::int32_t> cycles;
    for (const Channel channel : channels_of(topology.graph())) {
        if (!topology.is_injection(channel) && !topology.is_ejection(channel)) {
            cycles.push_back(topology.graph()[channel].cycles);
        }
    }
    EXPECT_THAT(cycles, ElementsAre(12, 12, 0, 0));
}

TEST(GraphFileTest, BothPortsOfAnUndirectedEdgeServeBothWays) {
    const Topology topology = dot_topology("graph { a -- b [output_port=5, input_port=2]; }");
    EXPECT_THAT(
        channel_texts(topology),
        ElementsAre("a.5 > b.2 to b", "a.6 > " + node_of("a") + ".0 ejection", "b.2 > a.5 to a",
                    "b.3 > " + node_of("b") + ".0 ejection", node_of("a") + ".0 > a.6 injection",
                    node_of("b") + ".0 > b.3 injection"));
}

constexpr const char* kGraphMlHead = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="k" for="node" attr.name="kind" attr.type="string"/>
<key id="n" for="node" attr.name="name" attr.type="string"/>
<key id="w" for="node" attr.name="weight" attr.type="double"/>
<key id="p" for="edge" attr.name="output_port" attr.type="int"/>
)";

TEST(GraphFileTest, ReadsGraphMl) {
    const Topology topology = graphml_topology(std::string(kGraphMlHead) + R"(
<graph id="G" edgedefault="directed">
<node id="0"><data key="k">switch</data><data key="n">hub</data><data key="w">1.5</data></node>
<node id="1"><data key="k">node</data></node>
<node id="2"><data key="k">node</data></node>
<edge source="0" target="1"><data key="p">7</data></edge> <edge source="1" target="0"/>
<edge source="0" target="2"/> <edge source="2" target="0"/>
</graph></graphml>)");
    EXPECT_THAT(channel_texts(topology), ElementsAre("hub.7 > 1.0 to 1", "hub.0 > 2.0 to 2",
                                                     "1.0 > hub.0 to hub", "2.0 > hub.1 to hub"));
}

TEST(GraphFileTest, ReadsUndirectedGraphMl) {
    const Topology topology = graphml_topology(std::string(kGraphMlHead) + R"(
<graph id="G" edgedefault="undirected"><node id="0"/><node id="1"/>
<edge source="0" target="1"/></graph></graphml>)");
    EXPECT_EQ(topology.node_count(), 2U);
    EXPECT_EQ(hop_channels_of(topology), 2U);
}

TEST(GraphFileTest, AnEdgeOfGraphMlEndsAtNodesThatAreThere) {
    const auto fault = [](const std::string& edge) {
        try {
            static_cast<void>(graphml_topology(std::string(kGraphMlHead) +
                                               R"(<graph id="G" edgedefault="undirected">
<!-- <node id="typo"/> --><node id="a"/><node id="b"/><edge source="a" target="b"/>)" +
                                               edge + "</graph></graphml>"));
        } catch (const GraphFault& found) {
            return std::string(found.what());
        }
        return std::string();
    };
    EXPECT_EQ(fault(""), "");
    EXPECT_THAT(fault(R"(<edge source="b" target="typo"/>)"),
                Names("target", "\"typo\"", "node", "id"));
}

TEST(GraphFileTest, SaysWhatIsWrongWithAGraph) {
    EXPECT_THAT(fault_in(""), Names("accepted", "DOT"));
    EXPECT_THAT(fault_in("<graphml", GraphFormat::kGraphMl), HasSubstr("accepted: GraphML"));
    EXPECT_THAT(fault_in("graph { a; }"), Names("1", "node", "2", "16384"));
    EXPECT_THAT(fault_in("graph { s [kind=switch]; }"), Names("0", "nodes", "2", "16384"));
    EXPECT_THAT(fault_in("graph { a -- a; a -- b; }"), Names("\"a\"", "itself"));
    EXPECT_THAT(fault_in("digraph { a -> b; }"),
                Names("no", "\"" + node_of("b") + "\"", "\"" + node_of("a") + "\""));
    EXPECT_THAT(fault_in(R"(graph { a [kind="node"]; b; a -- b; })"),
                Names("\"b\"", "kind", "\"node\"", "\"switch\""));
    EXPECT_THAT(fault_in("graph { a [kind=rooter]; b; a -- b; }"), HasSubstr(R"(kind "rooter")"));
    EXPECT_THAT(fault_in(R"(graph { a [kind="node"]; b [kind="node"]; a -- b; })"),
                Names("\"a\"", "\"b\""));
    EXPECT_THAT(fault_in("digraph { a -> b [output_port=1]; a -> c [output_port=1]; }"),
                Names("output", "1", "\"a\""));
    EXPECT_THAT(fault_in(std::string(kGraphMlHead) + R"(<graph id="G" edgedefault="directed">
<node id="0"><data key="n">a</data></node><node id="1"><data key="n">a</data></node>
</graph></graphml>)",
                         GraphFormat::kGraphMl),
                Names("two", "vertices", "\"a\""));
}

TEST(GraphFileTest, ControlCharactersInNamesAreEscaped) {
    const Topology topology = dot_topology(
        "graph { \"a\x1b[2J\" -- \"b\nc\" [direction=\"\xC2\x9B\"]; \xC3\xA9 -- \"b\nc\" }");
    EXPECT_EQ(topology.graph()[0].name, "a\\x1b[2J");
    EXPECT_EQ(topology.graph()[1].name, "b c");
    EXPECT_EQ(topology.graph()[2].name, "\xC3\xA9");
    EXPECT_EQ(topology.graph()[channels_of(topology.graph()).front()].direction, "\\xc2\\x9b");
}

// Faults of a network that is a graph: the place is that of the vertex or edge, or of the graph.
TEST(GraphFileTest, FaultsHaveLineAndColumn) {
    EXPECT_THAT(fault_in("\n graph { a; }"), StartsWith("2:2: "));
    EXPECT_THAT(fault_in("graph { a -- b;\n c -- c }"), StartsWith("2:4: "));
    EXPECT_THAT(fault_in("digraph { a -> b;\n b; c -> a; b -> a }"), StartsWith("1:11: "));
    EXPECT_THAT(fault_in("graph { a [kind=switch];\n  b; a -- b }"), StartsWith("2:3: "));
    EXPECT_THAT(fault_in("graph { a -- b [output_port=1];\n a -- b [output_port=1] }"),
                StartsWith("2:4: "));
}

}  // namespace
}  // namespace weir::network
