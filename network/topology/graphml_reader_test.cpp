#include "network/topology/graphml_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hw/testing/fuzz_target.h"
#include "hw/testing/names.h"
#include "network/topology/testing/edge_texts.h"

namespace weir::network {
namespace {

using weir::testing::Names;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

GraphContent content_of_graphml(const std::string& text) {
    hw::testing::note_seed("graphml", text);
    return read_graphml(text);
}

std::vector<std::string> graphml_edges(const std::string& text) {
    return testing::edge_texts(content_of_graphml(text));
}

std::string graphml_fault(const std::string& text) {
    return testing::graph_fault_of([&] { static_cast<void>(content_of_graphml(text)); });
}

// A file with keys, and an undirected graph of nodes a and b with these elements; the graph is in
// line 2.
std::string file_of(const std::string& keys, const std::string& elements) {
    return "<graphml>" + keys +
           "\n<graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/>" + elements +
           "</graph></graphml>";
}
const std::string kEdge = R"(<edge source="a" target="b"/>)";

TEST(GraphMlReaderTest, TypesOfNetworkxAndIgraph) {
    const std::string networkx = R"(<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <key id="d0" for="edge" attr.name="output_port" attr.type="long" />
  <graph edgedefault="undirected">
    <node id="0" /><node id="1" />
    <edge source="0" target="1" id="0"><data key="d0">3</data></edge>
    <edge source="0" target="1" id="0"/>
  </graph>
</graphml>)";
    EXPECT_THAT(graphml_edges(networkx), ElementsAre("0--1", "0--1"));
    EXPECT_EQ(content_of_graphml(networkx).edges.front().output_port, 3);
    const GraphContent igraph = content_of_graphml(
        R"(<graphml><key id="v" for="node" attr.name="name" attr.type="string"/>
<key id="e" for="edge" attr.name="output_port" attr.type="double"/>
<graph id="G" edgedefault="undirected"><node id="n0"><data key="v">A&amp;B</data></node>
<node id="n1"><data key="v"><![CDATA[<C>]]></data></node>
<edge source="n0" target="n1"><data key="e">2</data></edge></graph></graphml>)");
    EXPECT_THAT(testing::edge_texts(igraph), ElementsAre("A&B--<C>"));
    EXPECT_EQ(igraph.edges.front().output_port, 2);
}

TEST(GraphMlReaderTest, IgnoresElementsAndKeysOfYed) {
    EXPECT_THAT(graphml_edges(R"(<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
  <!--Created by yEd 3.22-->
  <key for="port" id="d0" yfiles.type="portgraphics"/>
  <key attr.name="Description" attr.type="string" for="graph" id="d1"/>
  <key for="node" id="d6" yfiles.type="nodegraphics"/>
  <key for="graphml" id="d7" yfiles.type="resources"/>
  <graph edgedefault="directed" id="G"><data key="d1"/>
    <node id="n0"><data key="d6"><y:ShapeNode><y:NodeLabel>a</y:NodeLabel></y:ShapeNode></data>
      <port name="p0"/></node>
    <node id="n1"><data key="d6"><y:ShapeNode/></data></node>
    <edge id="e0" source="n0" target="n1" sourceport="p0"/><y:Extra>text</y:Extra>
    <edge id="e1" source="n1" target="n0"><desc>back</desc></edge>
  </graph>
  <data key="d7"><y:Resources/></data>
</graphml>)"),
                ElementsAre("n0->n1", "n1->n0"));
}

TEST(GraphMlReaderTest, AnEdgeMayHaveADirectionOfItsOwn) {
    EXPECT_THAT(
        graphml_edges(file_of("", kEdge + R"(<edge directed="true" source="b" target="a"/>)"
                                          R"(<edge directed="false" source="b" target="a"/>)")),
        ElementsAre("a--b", "b->a", "b--a"));
    EXPECT_THAT(graphml_fault(file_of("", R"(<edge directed="yes" source="b" target="a"/>)")),
                Names("2:", "directed", "\"yes\"", "true", "false"));
}

TEST(GraphMlReaderTest, DefaultsOfKeys) {
    const GraphContent content = content_of_graphml(file_of(
        R"(<key id="k" for="all" attr.name="kind"><default>switch</default></key>)"
        R"(<key id="l" for="edge" attr.name="latency" attr.type="int"><default>4</default></key>)",
        R"(<node id="c"><data key="k">node</data></node>)" + kEdge +
            R"(<edge source="a" target="c"><data key="l"> 5 </data></edge>)"));
    EXPECT_EQ(content.vertices[0].kind, "switch");
    EXPECT_EQ(content.vertices[2].kind, "node");
    EXPECT_EQ(content.edges[0].latency, 4);
    EXPECT_EQ(content.edges[1].latency, 5);
}

TEST(GraphMlReaderTest, EdgesMayStandBeforeTheirEnds) {
    EXPECT_THAT(graphml_edges(R"(<graphml><graph edgedefault="directed">)" + kEdge +
                              R"(<node id="a"/><node id="b"/></graph></graphml>)"),
                ElementsAre("a->b"));
}

TEST(GraphMlReaderTest, ElementsMayHaveAPrefix) {
    EXPECT_THAT(graphml_edges(R"(<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns">
<g:graph edgedefault="directed"><g:node id="a"/><node/><g:node id="b"/>
<g:edge source="a" target="b"/></g:graph></g:graphml>)"),
                ElementsAre("a->b"));
}

TEST(GraphMlReaderTest, EncodingsAndTheDocumentType) {
    EXPECT_THAT(
        graphml_edges("<?xml version='1.0' encoding='ISO-8859-1'?>\n<!DOCTYPE graphml SYSTEM "
                      "\"http://graphml.graphdrawing.org/dtds/graphml.dtd\">" +
                      file_of("", "<node id='\xE9'/><edge source='a' target='\xE9'/>")),
        ElementsAre("a--\xC3\xA9"));
    EXPECT_THAT(graphml_fault("<?xml version='1.0' encoding='UTF-16'?><graphml/>"),
                Names("1:1", "\"utf-16\"", "UTF-8", "ISO-8859-1"));
    EXPECT_THAT(graphml_fault("\xFF\xFE<"), Names("1:1", "UTF-16", "UTF-8"));
}

TEST(GraphMlReaderTest, EntitiesAreNotExpanded) {
    EXPECT_THAT(graphml_fault("<!DOCTYPE graphml [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n" +
                              file_of("", "<node id='&b;'/>")),
                Names("1:", "document", "type"));
    EXPECT_THAT(graphml_fault(file_of("", "<node id='&b;'/>")), Names("2:", "&amp;"));
    EXPECT_THAT(graphml_edges(file_of("", "<!-- &b; <node/> -->" + kEdge)), ElementsAre("a--b"));
}

TEST(GraphMlReaderTest, RefusesWhatIsNoChannelByItsName) {
    EXPECT_THAT(graphml_fault(file_of("", kEdge + "<hyperedge><endpoint node='a'/></hyperedge>")),
                Names("2:", "hyperedge", "<edge>"));
    EXPECT_THAT(graphml_fault("<graphml><graph edgedefault='directed'>\n<node id='a'>"
                              "<graph edgedefault='directed'/></node></graph></graphml>"),
                Names("2:14", "nested", "graph", "<node>"));
    EXPECT_THAT(graphml_fault(file_of("", "<edge source='a' target='b'><graph/></edge>")),
                Names("2:", "nested", "graph", "<edge>"));
    EXPECT_THAT(graphml_fault("<graphml><graph edgedefault='directed'/>\n"
                              "<graph edgedefault='directed'/></graphml>"),
                Names("2:1", "second", "graph"));
    EXPECT_THAT(graphml_fault(file_of("", "<locator/>")), Names("2:", "<locator>", "<node>"));
}

TEST(GraphMlReaderTest, RefusesAnAttributeWhereItHasNoMeaning) {
    const std::string key = R"(<key id="l" for="all" attr.name="latency" attr.type="int"/>)";
    EXPECT_THAT(graphml_fault(file_of(key, "<node id='c'><data key='l'>3</data></node>")),
                Names("2:", "latency", "vertex", "edge"));
    EXPECT_THAT(graphml_fault(file_of(key, "<data key='l'>3</data>")),
                Names("2:", "latency", "graph", "edge"));
    EXPECT_THAT(graphml_fault(file_of(R"(<key id="l" for="node" attr.name="latency">)"
                                      "<default>3</default></key>",
                                      "")),
                Names("1:", "latency", "vertex", "edge"));
    EXPECT_THAT(graphml_fault(file_of("", "<edge source='a' target='b' latency='3'/>")),
                Names("2:", "latency", "<edge>", "<data>"));
    EXPECT_THAT(graphml_fault(file_of(R"(<key id="k" for="edge" attr.name="kind"/>)",
                                      "<node id='c'><data key='k'>node</data></node>")),
                Names("2:", "\"k\"", "\"edge\"", "<node>"));
}

TEST(GraphMlReaderTest, ValuesOfAttributes) {
    const auto fault = [](const std::string& type, const std::string& value) {
        return graphml_fault(
            file_of("<key id='p' for='edge' attr.name='input_port' attr.type='" + type + "'/>",
                    "<edge source='a' target='b'><data key='p'>" + value + "</data></edge>"));
    };
    EXPECT_EQ(fault("string", "4"), "no fault");
    EXPECT_EQ(fault("float", "4.0"), "no fault");
    EXPECT_THAT(fault("boolean", "1"), Names("1:10", "input_port", "boolean", "int", "double"));
    EXPECT_THAT(fault("whole", "1"), Names("1:10", "input_port", "\"whole\"", "int", "double"));
    EXPECT_THAT(fault("double", "1.5"), Names("2:", "input_port", "\"1.5\"", "0", "4095"));
    EXPECT_THAT(fault("int", "<b/>"), Names("2:", "<b>", "text"));
}

TEST(GraphMlReaderTest, FaultsHaveLineAndColumn) {
    const std::vector<std::pair<std::string, std::string>> faults{
        {"", "1:1: "},
        {"<graphml", "1:"},
        {"<graphml>\n</graph>", "2:"},
        {"<graph/>", "1:1: "},
        {"<graphml/>", "1:1: "},
        {"<graphml/>\n<graphml/>", "2:1: "},
        {"<graphml/>\ntext", "2:1: "},
        {"<graphml>\n<graph/></graphml>", "2:1: "},
        {"<graphml>\n<graph edgedefault='both'/></graphml>", "2:1: "},
        {"<graphml>\n<nodes/></graphml>", "2:1: "},
        {"<graphml>\n <key/></graphml>", "2:2: "},
        {"<graphml><key id='a'/>\n<key id='a'/></graphml>", "2:1: "},
        {file_of("", "\ntext"), "3:1: "},
        {file_of("", "\n<node/>"), "3:1: "},
        {file_of("", "\n<node id='a'/>"), "3:1: "},
        {file_of("", "\n<node id='c' id='d'/>"), "3:1: "},
        {file_of("", "\n<edge source='a'/>"), "3:1: "},
        {file_of("", "\n<edge source='a' target='c'/>"), "3:1: "},
        {file_of("", "\n<node id='c'><data key='k'/></node>"), "3:14: "},
        {file_of("", "\n<node id='c'><date/></node>"), "3:14: "},
        {std::string("<graphml>\n\0</graphml>", 21), "2:1: "},
    };
    for (const auto& [text, place] : faults) {
        EXPECT_THAT(graphml_fault(text), StartsWith(place)) << text;
        EXPECT_THAT(graphml_fault(text), HasSubstr("; accepted: ")) << text;
    }
}

// Deep nesting ends at the first element that has no place there.
TEST(GraphMlReaderTest, NeitherDepthNorUnknownElementsDoHarm) {
    std::string deep;
    for (int i = 0; i < 20'000; ++i) {
        deep += "<x>";
    }
    std::string ends;
    for (int i = 0; i < 20'000; ++i) {
        ends += "</x>";
    }
    EXPECT_THAT(graphml_fault(file_of("", deep + ends)), Names("2:", "<x>", "<node>"));
    EXPECT_THAT(
        graphml_edges(file_of("<key id='k'/>", "<data key='k'>" + deep + ends + "</data>" + kEdge)),
        ElementsAre("a--b"));
}

}  // namespace
}  // namespace weir::network
