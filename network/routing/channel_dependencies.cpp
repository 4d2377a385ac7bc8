#include "network/routing/channel_dependencies.h"

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/graph/topological_sort.hpp>
#include <boost/range/iterator_range.hpp>
#include <iterator>
#include <utility>

namespace weir::network {

ChannelDependencies::ChannelDependencies(const Routing& routing)
    : routing_(routing),
      channels_(routing.topology()),
      graph_(channels_.count() * static_cast<std::size_t>(routing.virtual_channels())),
      asked_(num_vertices(routing.topology().graph())) {
    for (std::size_t node = 0; node < routing.topology().node_count(); ++node) {
        add_ways_to(node);
    }
}

const ChannelDependencies::Vertices& ChannelDependencies::asked_behind(std::size_t holding,
                                                                       std::size_t destination) {
    const TopologyGraph& graph = routing_.topology().graph();
    const auto virtual_channels = static_cast<std::size_t>(routing_.virtual_channels());
    const Channel channel = channels_.channel(holding / virtual_channels);
    const HeaderPlace place{target(channel, graph), graph[channel].input_port,
                            static_cast<int>(holding % virtual_channels)};
    Vertices& asked = asked_[place.vertex];
    if (!asked.empty() && !routing_.looks_at_input()) {
        return asked;
    }
    asked.clear();
    for (const RoutedOutput& output : routing_.outputs(place, destination)) {
        asked.push_back(channels_.at_output(place.vertex, output.port) * virtual_channels +
                        static_cast<std::size_t>(output.virtual_channel));
    }
    return asked;
}

// From every other node's injections on, whatever the routing lets a message take.
void ChannelDependencies::add_ways_to(std::size_t destination) {
    const Topology& topology = routing_.topology();
    const TopologyGraph& topology_graph = topology.graph();
    const auto virtual_channels = static_cast<std::size_t>(routing_.virtual_channels());
    for (Vertices& asked : asked_) {
        asked.clear();
    }
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
    std::vector<std::size_t> reached;
    while (!held.empty()) {
        const std::size_t holding = held.back();
        held.pop_back();
        reached.push_back(holding);
        const Channel channel = channels_.channel(holding / virtual_channels);
        if (topology.is_ejection(channel)) {
            continue;
        }
        for (const std::size_t asked : asked_behind(holding, destination)) {
            if (!routing_.has_escape()) {
                add_edge(holding, asked, graph_);
            }
            see(asked);
        }
    }
    if (routing_.has_escape()) {
        add_escapes_to(destination, reached);
        check_escapes_to(destination, reached);
    }
}

namespace {

// What a message that holds a virtual channel can ask for, as vertices.
struct Asked {
    std::vector<std::size_t> escapes;
    std::vector<std::size_t> others;
};

}  // namespace

// Depth-first from each escape, through all but escapes. An ejection is an escape, as nothing
// follows it.
void ChannelDependencies::add_escapes_to(std::size_t destination,
                                         const std::vector<std::size_t>& reached) {
    const Topology& topology = routing_.topology();
    const auto virtual_channels = static_cast<std::size_t>(routing_.virtual_channels());
    std::vector<Asked> asked(num_vertices(graph_));
    std::vector<bool> is_escape(num_vertices(graph_));
    for (const std::size_t holding : reached) {
        const Channel channel = channels_.channel(holding / virtual_channels);
        if (topology.is_ejection(channel)) {
            continue;
        }
        const HeaderPlace place{target(channel, topology.graph()),
                                topology.graph()[channel].input_port,
                                static_cast<int>(holding % virtual_channels)};
        for (const RoutedOutput& output : routing_.outputs(place, destination)) {
            const std::size_t next = channels_.at_output(place.vertex, output.port);
            const std::size_t vertex =
                next * virtual_channels + static_cast<std::size_t>(output.virtual_channel);
            if (output.is_escape || topology.is_ejection(channels_.channel(next))) {
                asked[holding].escapes.push_back(vertex);
                is_escape[vertex] = true;
            } else {
                asked[holding].others.push_back(vertex);
            }
        }
    }
    std::vector<std::size_t> seen_for(num_vertices(graph_), num_vertices(graph_));
    for (const std::size_t holding : reached) {
        if (!is_escape[holding]) {
            continue;
        }
        std::vector<std::size_t> through{holding};
        while (!through.empty()) {
            const Asked& next = asked[through.back()];
            through.pop_back();
            for (const std::size_t vertex : next.escapes) {
                if (std::exchange(seen_for[vertex], holding) != holding) {
                    add_edge(holding, vertex, graph_);
                }
            }
            for (const std::size_t vertex : next.others) {
                if (std::exchange(seen_for[vertex], holding) != holding) {
                    through.push_back(vertex);
                }
            }
        }
    }
}

// By escapes alone, from wherever a message can be.
void ChannelDependencies::check_escapes_to(std::size_t destination,
                                           const std::vector<std::size_t>& reached) {
    const Topology& topology = routing_.topology();
    const auto virtual_channels = static_cast<std::size_t>(routing_.virtual_channels());
    std::vector<bool> leads_there(num_vertices(graph_));
    for (const std::size_t from : reached) {
        std::vector<std::size_t> way;
        std::size_t holding = from;
        while (!leads_there[holding] && way.size() <= num_vertices(graph_)) {
            const Channel channel = channels_.channel(holding / virtual_channels);
            way.push_back(holding);
            if (topology.is_ejection(channel)) {
                leads_there[holding] =
                    target(channel, topology.graph()) == topology.vertex_of_node(destination);
                break;
            }
            const HeaderPlace place{target(channel, topology.graph()),
                                    topology.graph()[channel].input_port,
                                    static_cast<int>(holding % virtual_channels)};
            const std::vector<RoutedOutput> outputs = routing_.outputs(place, destination);
            const auto escape =
                std::find_if(outputs.begin(), outputs.end(), [&](const RoutedOutput& output) {
                    return output.is_escape || topology.is_ejection(channels_.channel(
                                                   channels_.at_output(place.vertex, output.port)));
                });
            if (escape == outputs.end()) {
                break;
            }
            holding = channels_.at_output(place.vertex, escape->port) * virtual_channels +
                      static_cast<std::size_t>(escape->virtual_channel);
        }
        if (!leads_there[holding]) {
            stuck_at_ = name(way.back()) + " to node " + std::to_string(destination);
            return;
        }
        for (const std::size_t vertex : way) {
            leads_there[vertex] = true;
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
