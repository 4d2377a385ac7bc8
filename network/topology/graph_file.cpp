#include "network/topology/graph_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <utility>
#include <vector>

#include "hw/input_limits.h"
#include "network/network_parameters.h"
#include "network/plan_fault.h"
#include "network/topology/dot_reader.h"
#include "network/topology/graphml_reader.h"
#include "network/topology/metrics.h"

namespace weir::network {

namespace {

// Names go to terminals and pages: control characters become escapes, line ends become blanks.
void make_printable(std::string& name) {
    std::replace(name.begin(), name.end(), '\n', ' ');
    name = hw::with_escapes(name);
}

// A channel of an edge, in one of its directions.
struct FileChannel {
    std::size_t from;
    std::size_t to;
    int output_port;
    int input_port;
    const GraphEdge* edge;
};

std::vector<FileChannel> channels_of(const std::vector<GraphEdge>& edges) {
    std::vector<FileChannel> channels;
    for (const GraphEdge& edge : edges) {
        channels.push_back({edge.source, edge.target, edge.output_port, edge.input_port, &edge});
        if (!edge.is_directed) {
            channels.push_back(
                {edge.target, edge.source, edge.input_port, edge.output_port, &edge});
        }
    }
    return channels;
}

void check_names(const std::vector<GraphVertex>& vertices) {
    std::set<std::string> names;
    for (const GraphVertex& vertex : vertices) {
        if (!names.insert(vertex.name).second) {
            throw GraphFault(vertex.place,
                             "two vertices have the same name " + in_quotes(vertex.name),
                             "a different name for each vertex");
        }
    }
}

// True if the file has nodes of its own. Otherwise each vertex is a router with a node.
bool has_nodes(const std::vector<GraphVertex>& vertices) {
    const auto says_kind = [](const GraphVertex& vertex) { return !vertex.kind.empty(); };
    if (std::none_of(vertices.begin(), vertices.end(), says_kind)) {
        return false;
    }
    for (const GraphVertex& vertex : vertices) {
        if (vertex.kind != "node" && vertex.kind != "switch") {
            throw GraphFault(vertex.place,
                             "vertex " + in_quotes(vertex.name) +
                                 (vertex.kind.empty() ? " has no kind, but others have"
                                                      : " has the kind " + in_quotes(vertex.kind)),
                             R"(kind "node" or "switch" for every vertex, or for none)");
        }
    }
    return true;
}

void check_ends(const GraphContent& content) {
    for (const GraphEdge& edge : content.edges) {
        const GraphVertex& sender = content.vertices[edge.source];
        const GraphVertex& receiver = content.vertices[edge.target];
        if (edge.source == edge.target) {
            throw GraphFault(edge.place,
                             "a channel leads from " + in_quotes(sender.name) + " to itself",
                             "channels between two vertices");
        }
        if (sender.kind == "node" && receiver.kind == "node") {
            throw GraphFault(edge.place,
                             "a channel leads from node " + in_quotes(sender.name) + " to node " +
                                 in_quotes(receiver.name),
                             "channels that begin or end at a switch");
        }
    }
}

// Ports in use on one side, output or input, of each vertex.
class Ports {
  public:
    explicit Ports(std::size_t vertices) : used_(vertices) {}

    void take(std::size_t vertex, int port, FilePlace place, const std::string& name,
              const char* side) {
        if (port != kUnsetNumber && !used_[vertex].insert(port).second) {
            throw GraphFault(place,
                             "two channels have " + std::string(side) + " port " +
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

void add_channels(const GraphContent& content, const std::vector<std::size_t>& vertex_of,
                  bool is_direct, TopologyGraph& graph) {
    Ports outputs(content.vertices.size());
    Ports inputs(content.vertices.size());
    const std::vector<FileChannel> channels = channels_of(content.edges);
    for (const FileChannel& channel : channels) {
        const FilePlace place = channel.edge->place;
        outputs.take(channel.from, channel.output_port, place, content.vertices[channel.from].name,
                     "output");
        inputs.take(channel.to, channel.input_port, place, content.vertices[channel.to].name,
                    "input");
    }
    for (const auto& [from, to, output_port, input_port, edge] : channels) {
        const ChannelEdge channel{
            output_port == kUnsetNumber ? outputs.take_free(from) : output_port,
            input_port == kUnsetNumber ? inputs.take_free(to) : input_port,
            edge->direction.empty() ? "to " + content.vertices[to].name : edge->direction,
            edge->latency == kUnsetNumber ? 0 : edge->latency};
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
// and finds the two nodes to report. `node_places` are the places of the nodes.
void check_ways(const Topology& topology, const std::vector<FilePlace>& node_places) {
    for (std::size_t node = 0; node < topology.node_count(); ++node) {
        const std::vector<std::int32_t> hops = hops_from(topology, node);
        for (std::size_t other = 0; other < hops.size(); ++other) {
            if (other != node && hops[other] < 0) {
                throw GraphFault(
                    node_places[node],
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
        const std::string& place = fault.fault().key;
        throw PlanFault("network.graph_file",
                        name + (place.empty() ? "" : ":" + place) + ": " + fault.fault().found,
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
    if (const auto fault = hw::limit_fault(text, hw::kGraphLimits)) {
        throw GraphFault({}, fault->found, fault->accepted);
    }
    GraphContent content = format == GraphFormat::kDot ? read_dot(text) : read_graphml(text);
    for (GraphVertex& vertex : content.vertices) {
        make_printable(vertex.name);
    }
    for (GraphEdge& edge : content.edges) {
        make_printable(edge.direction);
    }
    check_names(content.vertices);
    const bool is_direct = !has_nodes(content.vertices);
    const auto nodes =
        is_direct ? static_cast<std::ptrdiff_t>(content.vertices.size())
                  : std::count_if(content.vertices.begin(), content.vertices.end(),
                                  [](const GraphVertex& vertex) { return vertex.kind == "node"; });
    if (nodes < 2 || nodes > kMostTopologyNodes) {
        throw GraphFault(
            content.place,
            "the graph has " + std::to_string(nodes) + (nodes == 1 ? " node" : " nodes"),
            "2 to " + std::to_string(kMostTopologyNodes));
    }
    check_ends(content);

    TopologyGraph graph;
    std::vector<std::size_t> vertex_of(content.vertices.size());
    std::vector<FilePlace> node_places;
    for (const bool are_nodes : {false, true}) {
        for (std::size_t i = 0; i < content.vertices.size(); ++i) {
            if ((content.vertices[i].kind == "node") == are_nodes) {
                vertex_of[i] = add_vertex({are_nodes ? VertexKind::kNode : VertexKind::kSwitch,
                                           content.vertices[i].name,
                                           {}},
                                          graph);
                if (are_nodes || is_direct) {
                    node_places.push_back(content.vertices[i].place);
                }
            }
        }
    }
    add_channels(content, vertex_of, is_direct, graph);
    Topology topology(graph_family(), title, graph, {!is_direct, !is_direct});
    check_ways(topology, node_places);
    return topology;
}

}  // namespace weir::network
