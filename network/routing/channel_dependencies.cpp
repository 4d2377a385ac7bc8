#include "network/routing/channel_dependencies.h"

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/graph/topological_sort.hpp>
#include <boost/range/iterator_range.hpp>
#include <iterator>

namespace weir::network {

ChannelDependencies::ChannelDependencies(const Routing& routing)
    : routing_(routing),
      channels_(routing.topology()),
      graph_(channels_.count() * static_cast<std::size_t>(routing.virtual_channels())) {
    for (std::size_t node = 0; node < routing.topology().node_count(); ++node) {
        add_ways_to(node);
    }
}

// From every other node's injections on, whatever the routing lets a message take.
void ChannelDependencies::add_ways_to(std::size_t destination) {
    const Topology& topology = routing_.topology();
    const TopologyGraph& topology_graph = topology.graph();
    const auto virtual_channels = static_cast<std::size_t>(routing_.virtual_channels());
    std::vector<bool> is_seen(num_vertices(graph_));
    std::vector<std::size_t> held;
    const auto see = [&](std::size_t vertex) {
        if (!is_seen[vertex]) {
            is_seen[vertex] = true;
            held.push_back(vertex);
        }
    };
    for (std::size_t number = 0; number < channels_.count(); ++number) {
        const Channel channel = channels_.channel(number);
        if (topology.is_injection(channel) &&
            source(channel, topology_graph) != topology.vertex_of_node(destination)) {
            see(number * virtual_channels);
        }
    }
    while (!held.empty()) {
        const std::size_t holding = held.back();
        held.pop_back();
        const Channel channel = channels_.channel(holding / virtual_channels);
        if (topology.is_ejection(channel)) {
            continue;
        }
        const HeaderPlace place{target(channel, topology_graph), topology_graph[channel].input_port,
                                static_cast<int>(holding % virtual_channels)};
        for (const RoutedOutput& output : routing_.outputs(place, destination)) {
            const std::size_t asked =
                channels_.at_output(place.vertex, output.port) * virtual_channels +
                static_cast<std::size_t>(output.virtual_channel);
            add_edge(holding, asked, graph_);
            see(asked);
        }
    }
}

bool ChannelDependencies::is_acyclic() const {
    std::vector<std::size_t> order;
    try {
        boost::topological_sort(graph_, std::back_inserter(order));
    } catch (const boost::not_a_dag&) {
        return false;
    }
    return true;
}

std::vector<std::string> ChannelDependencies::cycle() const {
    std::vector<std::size_t> component(num_vertices(graph_));
    boost::strong_components(graph_, component.data());
    for (const auto edge : boost::make_iterator_range(edges(graph_))) {
        const std::size_t first = source(edge, graph_);
        const std::size_t second = target(edge, graph_);
        if (component[first] != component[second]) {
            continue;
        }
        // The way back from the second to the first; it exists, as they are in one component.
        std::vector<std::size_t> before(num_vertices(graph_), second);
        boost::breadth_first_search(
            graph_, second,
            boost::visitor(boost::make_bfs_visitor(
                boost::record_predecessors(before.data(), boost::on_tree_edge()))));
        std::vector<std::string> names{name(first)};
        for (std::size_t at = first; at != second; at = before[at]) {
            names.push_back(name(before[at]));
        }
        std::reverse(names.begin(), names.end());
        return names;
    }
    return {};
}

std::string ChannelDependencies::name(std::size_t vertex) const {
    const auto virtual_channels = static_cast<std::size_t>(routing_.virtual_channels());
    const std::string channel =
        routing_.topology().channel_name(channels_.channel(vertex / virtual_channels));
    return virtual_channels == 1
               ? channel
               : channel + " virtual channel " + std::to_string(vertex % virtual_channels);
}

}  // namespace weir::network
