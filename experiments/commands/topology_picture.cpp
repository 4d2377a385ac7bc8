#include "experiments/commands/topology_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/commands/topology_page.h"
#include "experiments/config/xml_text.h"

namespace weir::experiments::commands {

namespace {

using network::Channel;
using network::Topology;
using network::TopologyGraph;
using network::TopologyKind;

constexpr double kPitch = 44.0;  // pixels between neighbours of a grid, as all lengths here
constexpr double kRow = 26.0;    // between the nodes of a butterfly and of a fat tree
constexpr double kStage = 110.0;
constexpr double kLevel = 90.0;
constexpr double kRadius = 13.0;
constexpr double kMargin = 50.0;
constexpr double kCaption = 48.0;
constexpr double kNarrowest = 820.0;  // has room for the caption
// How far a bent channel's handles stand off: around an end; in each two dimensions from the third.
constexpr double kAround = 20.0;
constexpr std::array<double, 3> kBends = {15.0, 21.0, 27.0};

// Light enough for a number on top; of Wong's palette, as are the channels'.
constexpr std::array<std::string_view, 2> kHalfColours = {"#a8d8f0", "#f7d08a"};
constexpr std::string_view kSwitchColour = "#ffffff";
constexpr std::array<std::string_view, 8> kChannelColours = {
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C8C8C"};
constexpr std::string_view kPlainChannel = "#5a6470";

struct Point {
    double x = 0.0;
    double y = 0.0;
};

struct ChannelLine {
    Point from;
    Point to;
    double bend = 0.0;
    bool has_arrow = false;
    std::string_view colour = kPlainChannel;
};

// A circle with a node's number, or a box with or without a switch's name.
struct Mark {
    Point at;
    bool is_node = true;
    std::string_view colour;
    std::string text;
    std::string title;  // what a pointer resting on it shows
};

struct Drawing {
    std::vector<ChannelLine> lines;
    std::vector<Mark> marks;
    std::vector<std::pair<std::string, std::string_view>> colours;  // of the channels
};

// What all of the drawings ask.
struct Drawn {
    const Topology& topology;
    const TopologyGraph& graph;
    const network::Bisection& bisection;

    [[nodiscard]] Mark node_mark(std::size_t node, Point at, const std::string& title) const {
        return {at, true, kHalfColours[bisection.in_first_half[node] ? 0 : 1], std::to_string(node),
                title};
    }
    [[nodiscard]] Mark switch_mark(std::size_t vertex, Point at) const {
        return {at, false, kSwitchColour, "", graph[vertex].name};
    }
    [[nodiscard]] const std::string& node_name(std::size_t node) const {
        return graph[topology.vertex_of_node(node)].name;
    }
    // The switch that injects for a node.
    [[nodiscard]] std::size_t switch_of(std::size_t node) const {
        return target(*out_edges(topology.vertex_of_node(node), graph).first, graph);
    }
};

// Where a router of a grid stands, and how the channels of its dimensions run.
Drawing grid(const Drawn& drawn, bool is_hypercube) {
    const TopologyGraph& graph = drawn.graph;
    const std::vector<std::int32_t>& last = graph[drawn.topology.switch_count() - 1].coordinates;
    std::vector<double> pitch;
    for (std::size_t d = 0; d < last.size(); ++d) {
        // Two dimensions further up, a step is over the whole grid below.
        pitch.push_back(d < 2 ? kPitch : pitch[d - 2] * (last[d - 2] + 1) + kPitch / 2);
    }
    const auto place = [&](std::size_t router) {
        Point at;
        for (std::size_t d = 0; d < last.size(); ++d) {
            (d % 2 == 0 ? at.x : at.y) += pitch[d] * graph[router].coordinates[d];
        }
        return at;
    };
    Drawing drawing;
    for (const Channel channel : network::channels_of(graph)) {
        const std::size_t from = source(channel, graph);
        const std::size_t to = target(channel, graph);
        // One of the two that make a pair.
        const bool is_first = is_hypercube ? from < to : graph[channel].direction.front() == '+';
        if (!drawn.topology.is_hop(channel) || !is_first) {
            continue;
        }
        const int port = graph[channel].output_port;
        const auto dimension = static_cast<std::size_t>(is_hypercube ? port : port / 2);
        const double around = to < from ? kAround : 0.0;
        const double bend =
            dimension < 2 ? around : kBends[std::min(dimension / 2 - 1, kBends.size() - 1)];
        drawing.lines.push_back({place(from), place(to), bend, false,
                                 kChannelColours[dimension % kChannelColours.size()]});
    }
    for (std::size_t router = 0; router < drawn.topology.switch_count(); ++router) {
        drawing.marks.push_back(drawn.node_mark(
            router, place(router), drawn.node_name(router) + ", router " + graph[router].name));
    }
    for (std::size_t d = 0; d < last.size(); ++d) {
        if (last[d] > 0) {
            const std::string name = d < 3 ? std::string(1, "xyz"[d]) : fmt::format("d{}", d);
            drawing.colours.emplace_back(is_hypercube ? fmt::format("bit {}", d) : name,
                                         kChannelColours[d % kChannelColours.size()]);
        }
    }
    return drawing;
}

// Stages from left to right, the nodes that inject before them and, once more, where they eject.
Drawing stages(const Drawn& drawn) {
    const TopologyGraph& graph = drawn.graph;
    const Topology& topology = drawn.topology;
    const double height = kRow * static_cast<double>(topology.node_count());
    const std::int32_t stage_count = graph[topology.switch_count() - 1].coordinates[0] + 1;
    const auto stage_switches =
        static_cast<double>(topology.switch_count()) / static_cast<double>(stage_count);
    const auto place = [&](std::size_t vertex) {
        const std::vector<std::int32_t>& at = graph[vertex].coordinates;
        return Point{kStage * (at[0] + 1), height * (at[1] + 0.5) / stage_switches};
    };
    // A node stands at its port.
    const auto node_place = [&](std::size_t at, int port, double column) {
        const auto ports = static_cast<double>(topology.node_count()) / stage_switches;
        return Point{kStage * column, place(at).y + kRow * (port + 0.5 - ports / 2)};
    };
    Drawing drawing;
    for (const Channel channel : network::channels_of(graph)) {
        const std::size_t from = source(channel, graph);
        const std::size_t to = target(channel, graph);
        if (topology.is_injection(channel) || topology.is_ejection(channel)) {
            const bool injects = topology.is_injection(channel);
            const std::size_t node = (injects ? from : to) - topology.switch_count();
            const Point at = injects
                                 ? node_place(to, graph[channel].input_port, 0)
                                 : node_place(from, graph[channel].output_port, stage_count + 1.0);
            drawing.lines.push_back({injects ? at : place(from), injects ? place(to) : at});
            drawing.marks.push_back(drawn.node_mark(
                node, at, drawn.node_name(node) + (injects ? ", sending" : ", receiving")));
        } else {
            drawing.lines.push_back({place(from), place(to)});
        }
    }
    for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
        drawing.marks.push_back(drawn.switch_mark(vertex, place(vertex)));
    }
    return drawing;
}

// Levels from the leaves up, each spread over the whole width.
Drawing levels(const Drawn& drawn) {
    const TopologyGraph& graph = drawn.graph;
    const Topology& topology = drawn.topology;
    std::map<std::int32_t, int> switches_of_level;
    for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
        ++switches_of_level[graph[vertex].coordinates[0]];
    }
    const int most =
        std::max_element(switches_of_level.begin(), switches_of_level.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; })
            ->second;
    const double width = std::max(kRow * static_cast<double>(topology.node_count()), kPitch * most);
    const double bottom = kLevel * static_cast<double>(switches_of_level.size());
    std::vector<Point> places(num_vertices(graph));
    std::map<std::int32_t, int> rank;
    for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
        const std::int32_t level = graph[vertex].coordinates[0];
        places[vertex] = {width * (rank[level]++ + 0.5) / switches_of_level[level],
                          bottom - kLevel * (level + 1)};
    }
    Drawing drawing;
    for (std::size_t node = 0; node < topology.node_count(); ++node) {
        const Point at{
            width * (static_cast<double>(node) + 0.5) / static_cast<double>(topology.node_count()),
            bottom};
        places[topology.vertex_of_node(node)] = at;
        drawing.marks.push_back(drawn.node_mark(node, at, drawn.node_name(node)));
    }
    for (const Channel channel : network::channels_of(graph)) {
        const std::size_t from = source(channel, graph);
        const std::size_t to = target(channel, graph);
        if (places[to].y < places[from].y) {  // the one back is the same line
            drawing.lines.push_back({places[from], places[to]});
        }
    }
    for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
        drawing.marks.push_back(drawn.switch_mark(vertex, places[vertex]));
    }
    return drawing;
}

// Switches on a circle, nodes of their own on a larger one beside them.
Drawing circle(const Drawn& drawn) {
    const TopologyGraph& graph = drawn.graph;
    const Topology& topology = drawn.topology;
    const bool is_direct = !topology.counted().injection;
    std::vector<std::vector<std::size_t>> nodes_at(topology.switch_count());
    std::size_t most_nodes = 1;
    for (std::size_t node = 0; node < topology.node_count(); ++node) {
        std::vector<std::size_t>& beside = nodes_at[drawn.switch_of(node)];
        beside.push_back(node);
        most_nodes = std::max(most_nodes, beside.size());
    }
    const auto count = static_cast<double>(topology.switch_count());
    const double slot = 2.0 * std::numbers::pi / count;
    const double outer =
        std::max(130.0, count * (is_direct ? 1.0 : static_cast<double>(most_nodes)) * kPitch * 0.8 /
                            (2.0 * std::numbers::pi));
    const double inner = is_direct ? outer : outer - 2.0 * kPitch;
    const auto on_circle = [](double radius, double angle) {
        return Point{radius * std::sin(angle), -radius * std::cos(angle)};
    };
    std::vector<Point> places(num_vertices(graph));
    Drawing drawing;
    for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
        const double angle = slot * static_cast<double>(vertex);
        // A single switch is in the middle.
        places[vertex] = on_circle(topology.switch_count() == 1 ? 0.0 : inner, angle);
        const std::vector<std::size_t>& beside = nodes_at[vertex];
        for (std::size_t i = 0; i < beside.size(); ++i) {
            const double turn =
                (static_cast<double>(i) + 0.5) / static_cast<double>(beside.size()) - 0.5;
            const Point at = is_direct ? places[vertex] : on_circle(outer, angle + slot * turn);
            places[topology.vertex_of_node(beside[i])] = at;
            drawing.marks.push_back(drawn.node_mark(beside[i], at, drawn.node_name(beside[i])));
        }
        if (!is_direct) {
            drawing.marks.push_back(drawn.switch_mark(vertex, places[vertex]));
        }
    }
    for (const Channel channel : network::channels_of(graph)) {
        const std::size_t from = source(channel, graph);
        const std::size_t to = target(channel, graph);
        const bool has_one_back = edge(to, from, graph).second;
        if (topology.is_hop(channel) && (!has_one_back || from < to)) {
            drawing.lines.push_back({places[from], places[to], 0.0, !has_one_back});
        }
    }
    return drawing;
}

Drawing drawing_of(const Drawn& drawn) {
    switch (drawn.topology.kind()) {
        case TopologyKind::kMesh:
        case TopologyKind::kTorus:
            return grid(drawn, false);
        case TopologyKind::kHypercube:
            return grid(drawn, true);
        case TopologyKind::kButterfly:
            return stages(drawn);
        case TopologyKind::kFatTree:
            return levels(drawn);
        case TopologyKind::kGraph:
            break;
    }
    return circle(drawn);
}

// An arrow ends at the mark's edge; a bent line leaves and arrives at a right angle to its way, on
// the right-hand side of those who go it.
std::string svg_of(const ChannelLine& line) {
    const double dx = line.to.x - line.from.x;
    const double dy = line.to.y - line.from.y;
    const double length = std::hypot(dx, dy);
    if (line.bend > 0.0) {
        const double bend_x = -dy / length * line.bend;
        const double bend_y = dx / length * line.bend;
        return fmt::format(
            "<path class=\"c\" stroke=\"{}\" d=\"M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} "
            "{:.1f}\"/>\n",
            line.colour, line.from.x, line.from.y, line.from.x + bend_x, line.from.y + bend_y,
            line.to.x + bend_x, line.to.y + bend_y, line.to.x, line.to.y);
    }
    const double kept = line.has_arrow ? std::max(0.0, 1.0 - kRadius / length) : 1.0;
    return fmt::format("<path class=\"c\" stroke=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"{}/>\n",
                       line.colour, line.from.x, line.from.y, line.from.x + kept * dx,
                       line.from.y + kept * dy,
                       line.has_arrow ? " marker-end=\"url(#arrow)\"" : "");
}

std::string svg_of(const Mark& mark) {
    const std::string title = "<title>" + config::xml_escaped(mark.title) + "</title>";
    if (!mark.is_node) {
        return fmt::format(
            "<rect class=\"v\" fill=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"14\">{}"
            "</rect>\n",
            mark.colour, mark.at.x - 7.0, mark.at.y - 7.0, title);
    }
    const double radius = mark.text.size() > 3 ? kRadius + 1.0 : kRadius - 1.0;
    return fmt::format(
        "<g><circle class=\"v\" fill=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\">{}</circle>"
        "<text class=\"n\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n",
        mark.colour, mark.at.x, mark.at.y, radius, title, mark.at.x, mark.at.y + 3.5,
        config::xml_escaped(mark.text));
}

struct Frame {
    double left = 0.0;
    double top = 0.0;
    double width = 0.0;
    double height = 0.0;
};

Frame frame_of(const std::vector<Mark>& marks) {
    Point least = marks.front().at;
    Point most = least;
    for (const Mark& mark : marks) {
        least = {std::min(least.x, mark.at.x), std::min(least.y, mark.at.y)};
        most = {std::max(most.x, mark.at.x), std::max(most.y, mark.at.y)};
    }
    const double width = std::max(most.x - least.x + 2.0 * kMargin, kNarrowest);
    return {(least.x + most.x - width) / 2.0, least.y - kMargin - kCaption, width,
            most.y - least.y + 2.0 * kMargin + kCaption};
}

}  // namespace

std::string topology_picture(const Topology& topology, const network::Bisection& bisection) {
    const Drawing drawing = drawing_of({topology, topology.graph(), bisection});
    const Frame frame = frame_of(drawing.marks);
    const double left = frame.left + 20.0;
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.1f} {:.1f} {:.1f} {:.1f}\" "
        "width=\"{:.0f}\" height=\"{:.0f}\">\n"
        "<style>.c{{fill:none;stroke-width:1.4}}.v{{stroke:#333;stroke-width:1}}"
        "text{{font-family:sans-serif;font-size:13px;fill:#222}}"
        ".n{{font-size:10px;text-anchor:middle}}</style>\n"
        "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" "
        "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" "
        "fill=\"{}\"/></marker></defs>\n"
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"white\"/>\n",
        frame.left, frame.top, frame.width, frame.height, frame.width, frame.height, kPlainChannel,
        frame.left, frame.top, frame.width, frame.height);
    svg += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">{}</text>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        left, frame.top + 26.0, config::xml_escaped(topology.title()), left, frame.top + 46.0,
        config::xml_escaped("Between the two colours " + bisection_text(bisection)));
    double x = left;
    for (const auto& [name, colour] : drawing.colours) {
        svg += fmt::format(
            "<path class=\"c\" stroke=\"{}\" d=\"M{:.1f} {:.1f}h18\"/>"
            "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
            colour, x, frame.top + 62.0, x + 22.0, frame.top + 66.0, config::xml_escaped(name));
        x += 34.0 + 8.0 * static_cast<double>(name.size());
    }
    for (const ChannelLine& line : drawing.lines) {
        svg += svg_of(line);
    }
    for (const Mark& mark : drawing.marks) {
        svg += svg_of(mark);
    }
    return svg + "</svg>\n";
}

}  // namespace weir::experiments::commands
