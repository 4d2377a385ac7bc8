#include "network/topology/graph_file.h"

#include <algorithm>
#include <boost/any.hpp>
#include <boost/graph/graphml.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/lexical_cast.hpp>
#include <boost/property_map/dynamic_property_map.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <boost/range/iterator_range.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "hw/input_limits.h"
#include "hw/text_streams.h"
#include "network/network_parameters.h"
#include "network/plan_fault.h"
#include "network/topology/metrics.h"

namespace weir::network {

namespace {

constexpr int kNoPort = -1;
constexpr int kMostPorts = 4096;
constexpr int kNoLatency = -1;
constexpr int kMostLatency = 10'000;

struct FileVertex {
    std::string name;
    std::string kind;
};
struct FileEdge {
    std::string direction;
    int output_port = kNoPort;
    int input_port = kNoPort;
    int latency = kNoLatency;
};
template <typename Directedness>
using FileGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, Directedness, FileVertex, FileEdge>;

// Contents of the file; an undirected edge gives two channels.
struct FileChannel {
    std::size_t from;
    std::size_t to;
    FileEdge edge;
};
struct FileContent {
    std::vector<FileVertex> vertices;
    std::vector<FileChannel> channels;
};

template <typename Directedness>
FileContent parse(const std::string& text, GraphFormat format) {
    FileGraph<Directedness> graph;
    boost::dynamic_properties properties(boost::ignore_other_properties);
    properties.property(format == GraphFormat::kDot ? "node_id" : "name",
                        get(&FileVertex::name, graph));
    properties.property("kind", get(&FileVertex::kind, graph));
    properties.property("direction", get(&FileEdge::direction, graph));
    properties.property("output_port", get(&FileEdge::output_port, graph));
    properties.property("input_port", get(&FileEdge::input_port, graph));
    properties.property("latency", get(&FileEdge::latency, graph));
    if (format == GraphFormat::kDot) {
        boost::read_graphviz(text, graph, properties);
    } else {
        hw::TextReader in(text);
        boost::read_graphml(in, graph, properties);
    }
    FileContent content;
    std::vector<std::size_t> order(num_vertices(graph));
    std::iota(order.begin(), order.end(), 0U);
    if (format == GraphFormat::kDot) {  // Boost's reader sorts the ids as text
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return strverscmp(graph[a].name.c_str(), graph[b].name.c_str()) < 0;
        });
    }
    std::vector<std::size_t> place(order.size());
    for (const std::size_t vertex : order) {
        place[vertex] = content.vertices.size();
        content.vertices.push_back(graph[vertex]);
    }
    for (const auto edge : boost::make_iterator_range(edges(graph))) {
        const FileEdge& said = graph[edge];
        const std::size_t from = place[source(edge, graph)];
        const std::size_t to = place[target(edge, graph)];
        content.channels.push_back({from, to, said});
        if (std::is_same_v<Directedness, boost::undirectedS>) {
            content.channels.push_back(
                {to, from, {said.direction, said.input_port, said.output_port, said.latency}});
        }
    }
    return content;
}

// Boost's reader of GraphML makes a new vertex of an edge's misspelt end, so ends are checked here.
// Text that is no XML is reported by the reader.
void require_declared_ends(const std::string& text) {
    boost::property_tree::ptree file;
    try {
        hw::TextReader in(text);
        read_xml(in, file, boost::property_tree::xml_parser::no_comments);
    } catch (const boost::property_tree::ptree_error&) {
        return;
    }
    const boost::property_tree::ptree none;
    const boost::property_tree::ptree& graph = file.get_child("graphml.graph", none);
    std::set<std::string> declared;
    for (const auto& [tag, element] : graph) {
        if (tag == "node") {
            declared.insert(element.get("<xmlattr>.id", ""));
        }
    }
    for (const auto& [tag, element] : graph) {
        if (tag != "edge") {
            continue;
        }
        const boost::property_tree::ptree& attributes = element.get_child("<xmlattr>", none);
        for (const char* end : {"source", "target"}) {
            const std::string named = attributes.get(end, "");
            if (!declared.contains(named)) {
                throw GraphFault(std::string("an edge's ") + end + " is \"" + named +
                                     "\", and no node has that id",
                                 "the ids of nodes");
            }
        }
    }
}

FileContent parse(const std::string& text, GraphFormat format) {
    if (format == GraphFormat::kGraphMl) {
        require_declared_ends(text);
    }
    const std::string accepted = format == GraphFormat::kDot ? "a graph in DOT" : "GraphML";
    try {
        try {
            return parse<boost::bidirectionalS>(text, format);
        } catch (const boost::undirected_graph_error&) {
            return parse<boost::undirectedS>(text, format);
        }
    } catch (const boost::bad_any_cast&) {
        throw GraphFault("an attribute has a type that it can't have",
                         "output_port, input_port and latency of "
                         "attr.type int, kind, name and direction of attr.type string");
    } catch (const boost::bad_lexical_cast&) {
        throw GraphFault("a port or a latency is no whole number",
                         "ports from 0 to " + std::to_string(kMostPorts - 1) +
                             ", latencies from 1 to " + std::to_string(kMostLatency));
    } catch (const boost::graph_exception& error) {
        throw GraphFault(std::string("not a graph that can be read: ") + error.what(), accepted);
    } catch (const std::exception& error) {
        throw GraphFault(std::string("not a graph that can be read: ") + error.what(), accepted);
    }
}

std::string in_quotes(const std::string& name) { return "\"" + name + "\""; }

// Names vertices without a name; throws GraphFault if two vertices have the same name.
void name_vertices(std::vector<FileVertex>& vertices) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        if (vertices[i].name.empty()) {
            vertices[i].name = "vertex " + std::to_string(i);
        }
        if (!names.insert(vertices[i].name).second) {
            throw GraphFault("two vertices have the same name " + in_quotes(vertices[i].name),
                             "a different name for each vertex");
        }
    }
}

// True if the file has nodes of its own. Otherwise each vertex is a router with a node.
bool has_nodes(const std::vector<FileVertex>& vertices) {
    const auto says_kind = [](const FileVertex& vertex) { return !vertex.kind.empty(); };
    if (std::none_of(vertices.begin(), vertices.end(), says_kind)) {
        return false;
    }
    for (const FileVertex& vertex : vertices) {
        if (vertex.kind != "node" && vertex.kind != "switch") {
            throw GraphFault((vertex.kind.empty() ? "vertex " + in_quotes(vertex.name) +
                                                        " has no kind, but others have"
                                                  : "vertex " + in_quotes(vertex.name) +
                                                        " has the kind " + in_quotes(vertex.kind)),
                             R"(kind "node" or "switch" for every vertex, or for none)");
        }
    }
    return true;
}

void check_channels(const FileContent& content) {
    for (const auto& [from, to, edge] : content.channels) {
        const FileVertex& sender = content.vertices[from];
        const FileVertex& receiver = content.vertices[to];
        if (from == to) {
            throw GraphFault("a channel leads from " + in_quotes(sender.name) + " to itself",
                             "channels between two vertices");
        }
        if (sender.kind == "node" && receiver.kind == "node") {
            throw GraphFault("a channel leads from node " + in_quotes(sender.name) + " to node " +
                                 in_quotes(receiver.name),
                             "channels that begin or end at a switch");
        }
        if (edge.latency != kNoLatency && (edge.latency < 1 || edge.latency > kMostLatency)) {
            throw GraphFault("a channel from " + in_quotes(sender.name) + " to " +
                                 in_quotes(receiver.name) + " has a latency of " +
                                 std::to_string(edge.latency),
                             "1 to " + std::to_string(kMostLatency) + " cycles");
        }
        for (const int port : {edge.output_port, edge.input_port}) {
            if (port != kNoPort && (port < 0 || port >= kMostPorts)) {
                throw GraphFault("a channel from " + in_quotes(sender.name) + " has port " +
                                     std::to_string(port),
                                 "0 to " + std::to_string(kMostPorts - 1));
            }
        }
    }
}

// Ports in use on one side, output or input, of each vertex.
class Ports {
  public:
    explicit Ports(std::size_t vertices) : used_(vertices) {}

    void take(std::size_t vertex, int port, const std::string& name, const char* side) {
        if (port != kNoPort && !used_[vertex].insert(port).second) {
            throw GraphFault("two channels have " + std::string(side) + " port " +
                                 std::to_string(port) + " of " + in_quotes(name),
                             "a different port for each channel");
        }
    }
    int take_free(std::size_t vertex) {
        int port = 0;
        while (!used_[vertex].insert(port).second) {
            ++port;
        }
        return port;
    }
    [[nodiscard]] int first_after_all(std::size_t vertex) const {
        return used_[vertex].empty() ? 0 : *used_[vertex].rbegin() + 1;
    }

  private:
    std::vector<std::set<int>> used_;
};

void add_channels(const FileContent& content, const std::vector<std::size_t>& vertex_of,
                  bool is_direct, TopologyGraph& graph) {
    Ports outputs(content.vertices.size());
    Ports inputs(content.vertices.size());
    for (const auto& [from, to, edge] : content.channels) {
        outputs.take(from, edge.output_port, content.vertices[from].name, "output");
        inputs.take(to, edge.input_port, content.vertices[to].name, "input");
    }
    for (const auto& [from, to, edge] : content.channels) {
        const ChannelEdge channel{
            edge.output_port == kNoPort ? outputs.take_free(from) : edge.output_port,
            edge.input_port == kNoPort ? inputs.take_free(to) : edge.input_port,
            edge.direction.empty() ? "to " + content.vertices[to].name : edge.direction,
            edge.latency == kNoLatency ? 0 : edge.latency};
        add_edge(vertex_of[from], vertex_of[to], channel, graph);
    }
    for (std::size_t i = 0; is_direct && i < content.vertices.size(); ++i) {
        const std::size_t node =
            add_vertex({VertexKind::kNode, "node of " + content.vertices[i].name, {}}, graph);
        const int port = std::max(outputs.first_after_all(i), inputs.first_after_all(i));
        add_edge(node, vertex_of[i], {0, port, "injection"}, graph);
        add_edge(vertex_of[i], node, {port, 0, "ejection"}, graph);
    }
}

// Throws GraphFault unless each node reaches each other one. Searching from each node costs little,
// and finds the two nodes to report.
void check_ways(const Topology& topology) {
    for (std::size_t node = 0; node < topology.node_count(); ++node) {
        const std::vector<std::int32_t> hops = hops_from(topology, node);
        for (std::size_t other = 0; other < hops.size(); ++other) {
            if (other != node && hops[other] < 0) {
                throw GraphFault(
                    "there is no path from " +
                        in_quotes(topology.graph()[topology.vertex_of_node(node)].name) + " to " +
                        in_quotes(topology.graph()[topology.vertex_of_node(other)].name),
                    "a network in which each node reaches all others");
            }
        }
    }
}

Topology read_graph_file(const std::string& name) {
    const std::filesystem::path path(name);
    const std::optional<GraphFormat> format = graph_format(name);
    if (!format) {
        throw PlanFault("network.graph_file",
                        "\"" + name + "\" is no graph file by its name's extension",
                        "a .graphml, .dot or .gv file");
    }
    std::ifstream file(path);
    if (!file || std::filesystem::is_directory(path)) {
        throw PlanFault("network.graph_file", "the file \"" + name + "\" can't be read",
                        "a file that exists and can be read");
    }
    try {
        return read_graph(file, *format, "graph " + path.filename().string());
    } catch (const GraphFault& fault) {
        throw PlanFault("network.graph_file", name + ": " + fault.fault().found,
                        fault.fault().accepted);
    }
}

class GraphFamily final : public TopologyFamily {
  public:
    GraphFamily()
        : TopologyFamily("graph", "any switches, nodes and channels, read from a file",
                         {"graph_file"}) {}

    [[nodiscard]] std::optional<hw::ParameterGroup::Fault> fault(
        const NetworkParameters& parameters) const override {
        if (!parameters.graph_file.value().empty()) {
            return std::nullopt;
        }
        return hw::ParameterGroup::Fault{"graph_file",
                                         "is missing, and topology = \"graph\" needs it",
                                         "a .graphml, .dot or .gv file"};
    }
    [[nodiscard]] Topology make(const NetworkParameters& parameters) const override {
        return read_graph_file(parameters.graph_file.value());
    }

    [[nodiscard]] bool is_routed_by(RoutingKind routing) const override {
        return routing == RoutingKind::kUpDown;
    }
    [[nodiscard]] std::unique_ptr<Routing> default_routing(
        const Topology& topology, const NetworkParameters& /*parameters*/) const override {
        return up_down_routing(topology);
    }
};

}  // namespace

const TopologyFamily& graph_family() {
    static const GraphFamily family;
    return family;
}

std::optional<GraphFormat> graph_format(const std::string& file) {
    const std::string ending = std::filesystem::path(file).extension().string();
    if (ending == ".graphml") {
        return GraphFormat::kGraphMl;
    }
    return ending == ".dot" || ending == ".gv" ? std::optional(GraphFormat::kDot) : std::nullopt;
}

Topology read_graph(std::istream& file, GraphFormat format, const std::string& title) {
    hw::skip_byte_order_mark(file);
    const std::string text = hw::text_of(file, hw::kGraphLimits);
    const auto syntax = format == GraphFormat::kDot ? hw::InputSyntax::kDot : hw::InputSyntax::kXml;
    if (const auto fault = hw::limit_fault(text, hw::kGraphLimits, syntax)) {
        throw GraphFault(fault->found, fault->accepted);
    }
    FileContent content = parse(text, format);
    name_vertices(content.vertices);
    const bool is_direct = !has_nodes(content.vertices);
    const auto nodes =
        is_direct ? static_cast<std::ptrdiff_t>(content.vertices.size())
                  : std::count_if(content.vertices.begin(), content.vertices.end(),
                                  [](const FileVertex& vertex) { return vertex.kind == "node"; });
    if (nodes < 2 || nodes > kMostTopologyNodes) {
        throw GraphFault(
            "the graph has " + std::to_string(nodes) + (nodes == 1 ? " node" : " nodes"),
            "2 to " + std::to_string(kMostTopologyNodes));
    }
    check_channels(content);

    TopologyGraph graph;
    std::vector<std::size_t> vertex_of(content.vertices.size());
    for (const bool are_nodes : {false, true}) {
        for (std::size_t i = 0; i < content.vertices.size(); ++i) {
            if ((content.vertices[i].kind == "node") == are_nodes) {
                vertex_of[i] = add_vertex({are_nodes ? VertexKind::kNode : VertexKind::kSwitch,
                                           content.vertices[i].name,
                                           {}},
                                          graph);
            }
        }
    }
    add_channels(content, vertex_of, is_direct, graph);
    Topology topology(graph_family(), title, graph, {!is_direct, !is_direct});
    check_ways(topology);
    return topology;
}

}  // namespace weir::network
