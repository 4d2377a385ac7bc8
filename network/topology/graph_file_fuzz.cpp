#include <sstream>

#include "hw/testing/fuzz_target.h"
#include "network/topology/graph_file.h"

namespace weir::network {
namespace {

void read_text(const std::string& text, GraphFormat format) {
    std::istringstream file(text);
    static_cast<void>(read_graph(file, format, "a graph"));
}

const hw::testing::FuzzTarget kDotFuzz({
    .name = "dot",
    .sources = {"network/topology/dot_reader.cpp", "network/topology/graph_content.cpp",
                "network/topology/graph_file.cpp"},
    .read = [](const std::string& input) { read_text(input, GraphFormat::kDot); },
    .seeds =
        [] {
            return std::vector<std::string>{
                "digraph { a -> b [direction=east, output_port=3, input_port=1];"
                " b -> a [input_port=0]; a -> b; }",
                "graph \"a \\\" name\" { node [kind=switch]; p [kind=\"node\"]; s; // comment\n"
                "# another\n subgraph x { q [kind=\"node\"]; } /* more { */ p -- s -- q; }",
                "strict graph { edge [latency=3]; a, b -- { c; d:p:n } -- \"x\" + <<i>y</i>>"
                " [key=1, x=-1.5]; subgraph s {e} subgraph s {} -- a; charset=latin1 }"};
        },
    .tests = "GraphFileTest.*:DotReaderTest.*",
    .words = {"digraph", "graph ", "subgraph ", "node [", "edge [", "kind=\"node\"", "->", "--",
              "output_port=", "key=", "strict ", "latency=", "{{{{", "}}}}", "/*", "*/", "//",
              "<a>"},
});

const hw::testing::FuzzTarget kGraphMlFuzz({
    .name = "graphml",
    .sources = {"network/topology/graphml_reader.cpp", "network/topology/graph_content.cpp",
                "network/topology/graph_file.cpp"},
    .read = [](const std::string& input) { read_text(input, GraphFormat::kGraphMl); },
    .seeds =
        [] {
            const std::string head =
                R"(<?xml version="1.0" encoding="UTF-8"?><graphml xmlns="http://x">)"
                R"(<key id="k" for="node" attr.name="kind" attr.type="string"/>)"
                R"(<key id="p" for="edge" attr.name="output_port" attr.type="int"/>)";
            return std::vector<std::string>{
                head + R"(<graph id="G" edgedefault="directed"><!-- <a> -->
<node id="0"><data key="k">switch</data></node>
<node id="1"><data key="k">node</data></node><node id="2"><data key="k">node</data></node>
<edge source="0" target="1"><data key="p">7</data></edge><edge source="1" target="0"/>
<edge source="0" target="2"/><edge source="2" target="0"/></graph></graphml>)",
                head + R"(<graph edgedefault="undirected"><node id="0"/><node id="1"/>
<edge source="0" target="1"/></graph></graphml>)",
                R"(<g:graphml xmlns:g="http://x"><g:key id="l" for="all" attr.name="latency")"
                R"( attr.type="double"><g:default>2.0</g:default></g:key>)"
                R"(<g:graph edgedefault="directed"><g:node id="a"/><g:node id="b"><y:x/></g:node>)"
                R"(<g:edge directed="false" source="a" target="b"><g:data key="l">3</g:data>)"
                R"(</g:edge></g:graph></g:graphml>)"};
        },
    .tests = "GraphFileTest.*:GraphMlReaderTest.*",
    .words = {"<node id=\"", "<edge source=\"", "<data key=\"p\">", "</data>", "/>", "<![CDATA[",
              "]]>", "<!--", "-->", "<!DOCTYPE a [", "<?", "?>", "attr.type=\"double\"",
              "<hyperedge>", "directed=\"true\"", "<default>", "&amp;", "&#x41;", "<a x='/>'>"},
});

}  // namespace
}  // namespace weir::network
