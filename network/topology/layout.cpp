#include "network/topology/layout.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace weir::network {

namespace {

Layout::Place on_circle(double radius, double angle) {
    return {radius * std::sin(angle), -radius * std::cos(angle)};
}

// Nodes that inject into each switch.
std::vector<std::vector<std::size_t>> nodes_by_switch(const Topology& topology) {
    std::vector<std::vector<std::size_t>> nodes(topology.switch_count());
    for (std::size_t node = 0; node < topology.node_count(); ++node) {
        nodes[topology.switch_of_node(node)].push_back(node);
    }
    return nodes;
}

}  // namespace

std::string node_name(const Topology& topology, std::size_t node) {
    return topology.graph()[topology.vertex_of_node(node)].name;
}

Layout circle_layout(const Topology& topology) {
    const TopologyGraph& graph = topology.graph();
    const bool is_direct = !topology.counted().injection;
    const std::vector<std::vector<std::size_t>> nodes_at = nodes_by_switch(topology);
    std::size_t most_nodes = 1;
    for (const std::vector<std::size_t>& nodes : nodes_at) {
        most_nodes = std::max(most_nodes, nodes.size());
    }
    const auto count = static_cast<double>(topology.switch_count());
    const double slot = 2.0 * std::numbers::pi / count;
    const double outer =
        std::max(130.0, count * (is_direct ? 1.0 : static_cast<double>(most_nodes)) *
                            Layout::kPitch * 0.8 / (2.0 * std::numbers::pi));
    const double inner = is_direct ? outer : outer - 2.0 * Layout::kPitch;
    std::vector<Layout::Place> places(num_vertices(graph));
    Layout layout;
    for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
        const double angle = slot * static_cast<double>(vertex);
        // A single switch is drawn in the centre.
        places[vertex] = on_circle(topology.switch_count() == 1 ? 0.0 : inner, angle);
        const std::vector<std::size_t>& beside = nodes_at[vertex];
        for (std::size_t i = 0; i < beside.size(); ++i) {
            const double turn =
                (static_cast<double>(i) + 0.5) / static_cast<double>(beside.size()) - 0.5;
            const Layout::Place at =
                is_direct ? places[vertex] : on_circle(outer, angle + slot * turn);
            places[topology.vertex_of_node(beside[i])] = at;
            layout.marks.push_back({at, beside[i], node_name(topology, beside[i])});
        }
        if (!is_direct) {
            layout.marks.push_back({places[vertex], std::nullopt, graph[vertex].name});
        }
    }
    for (const Channel channel : channels_of(graph)) {
        const std::size_t from = source(channel, graph);
        const std::size_t to = target(channel, graph);
        const bool has_one_back = edge(to, from, graph).second;
        if (topology.is_hop(channel) && (!has_one_back || from < to)) {
            layout.lines.push_back({places[from], places[to], 0.0, !has_one_back, std::nullopt});
        }
    }
    layout.places = std::move(places);
    return layout;
}

}  // namespace weir::network
