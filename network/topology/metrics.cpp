#include "network/topology/metrics.h"

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <boost/graph/visitors.hpp>
#include <boost/range/iterator_range.hpp>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace weir::network {

namespace {

// Filter of channels: nodes do not forward messages, so only the sender's channels out of nodes
// count.
struct LeadsOn {
    const Topology* topology = nullptr;
    std::size_t sender = 0;

    bool operator()(Channel channel) const {
        return !topology->is_injection(channel) || source(channel, topology->graph()) == sender;
    }
};

bool ends_are_one_switch(const Topology& topology, std::size_t node) {
    const TopologyGraph& graph = topology.graph();
    const std::size_t vertex = topology.vertex_of_node(node);
    for (const Channel injection : boost::make_iterator_range(out_edges(vertex, graph))) {
        if (edge(target(injection, graph), vertex, graph).second) {
            return true;
        }
    }
    return false;
}

using FlowTraits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
struct FlowChannel {
    std::int64_t capacity = 0;
    std::int64_t residual = 0;
    FlowTraits::edge_descriptor reverse;
};
using FlowGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS,
                                        boost::no_property, FlowChannel>;

void add_flow_channel(std::size_t from, std::size_t to, std::int64_t capacity, FlowGraph& flow) {
    const auto forth = add_edge(from, to, {capacity, 0, {}}, flow).first;
    const auto back = add_edge(to, from, {0, 0, {}}, flow).first;
    flow[forth].reverse = back;
    flow[back].reverse = forth;
}

std::vector<bool> half_in_order(const std::vector<std::size_t>& nodes) {
    std::vector<bool> in_first_half(nodes.size());
    for (std::size_t i = 0; i < nodes.size() / 2; ++i) {
        in_first_half[nodes[i]] = true;
    }
    return in_first_half;
}

std::int64_t channels_either_way(const Topology& topology, std::vector<bool> in_first_half) {
    const std::int64_t forth = channels_across(topology, in_first_half);
    in_first_half.flip();
    return std::min(forth, channels_across(topology, in_first_half));
}

Bisection bisection_by_standard_cut(const Topology& topology, const StandardCut& cut) {
    const std::int64_t channels = channels_either_way(topology, cut.in_first_half);
    if (cut.bisection && channels != *cut.bisection) {
        throw std::logic_error(topology.title() + ": the standard cut has " +
                               std::to_string(channels) + " channels, its closed form " +
                               std::to_string(*cut.bisection));
    }
    return {channels, cut.in_first_half, cut.bisection.has_value(), cut.source};
}

}  // namespace

std::vector<std::int32_t> hops_from(const Topology& topology, std::size_t node) {
    const std::size_t sender = topology.vertex_of_node(node);
    const auto ways = boost::make_filtered_graph(topology.graph(), LeadsOn{&topology, sender});
    std::vector<std::int32_t> channels(num_vertices(topology.graph()), -1);
    channels[sender] = 0;
    boost::breadth_first_search(ways, sender,
                                boost::visitor(boost::make_bfs_visitor(boost::record_distances(
                                    channels.data(), boost::on_tree_edge()))));
    const CountedHops counted = topology.counted();
    const std::int32_t not_counted = (counted.injection ? 0 : 1) + (counted.ejection ? 0 : 1);
    std::vector<std::int32_t> hops;
    for (std::size_t other = 0; other < topology.node_count(); ++other) {
        const std::int32_t found = channels[topology.vertex_of_node(other)];
        hops.push_back(found < 0 ? found : found - not_counted);
    }
    hops[node] = 0;
    if (!ends_are_one_switch(topology, node)) {
        // Distance of the node to itself: the shortest path from its injection to one of its
        // ejections.
        std::int32_t around = -1;
        const TopologyGraph& graph = topology.graph();
        for (std::size_t at = 0; at < topology.switch_count(); ++at) {
            if (channels[at] >= 0 && edge(at, sender, graph).second &&
                (around < 0 || channels[at] + 1 < around)) {
                around = channels[at] + 1;
            }
        }
        hops[node] = around < 0 ? around : around - not_counted;
    }
    return hops;
}

Distances distances_of(const Topology& topology) {
    Distances distances;
    for (std::size_t node = 0; node < topology.node_count(); ++node) {
        const std::vector<std::int32_t> hops = hops_from(topology, node);
        distances.hops_to_itself += hops[node];
        for (std::size_t other = 0; other < hops.size(); ++other) {
            if (other != node) {
                distances.diameter = std::max(distances.diameter, hops[other]);
                distances.hops_to_others += hops[other];
            }
        }
    }
    const auto count = static_cast<double>(topology.node_count());
    distances.mean_to_others =
        static_cast<double>(distances.hops_to_others) / (count * (count - 1.0));
    distances.mean_with_itself =
        static_cast<double>(distances.hops_to_others + distances.hops_to_itself) / (count * count);
    return distances;
}

Degrees degrees_of(const Topology& topology) {
    std::vector<std::size_t> outputs(topology.switch_count());
    std::vector<std::size_t> inputs(topology.switch_count());
    const TopologyGraph& graph = topology.graph();
    for (const Channel channel : channels_of(graph)) {
        if (!topology.is_hop(channel)) {
            continue;
        }
        if (!topology.is_injection(channel)) {
            ++outputs[source(channel, graph)];
        }
        if (!topology.is_ejection(channel)) {
            ++inputs[target(channel, graph)];
        }
    }
    return {*std::min_element(outputs.begin(), outputs.end()),
            std::max(*std::max_element(outputs.begin(), outputs.end()),
                     *std::max_element(inputs.begin(), inputs.end()))};
}

std::size_t hop_channels_of(const Topology& topology) {
    const auto channels = channels_of(topology.graph());
    return std::count_if(channels.begin(), channels.end(),
                         [&](Channel channel) { return topology.is_hop(channel); });
}

std::int64_t channels_across(const Topology& topology, const std::vector<bool>& in_first_half) {
    const TopologyGraph& graph = topology.graph();
    const auto unlimited = static_cast<std::int64_t>(num_edges(graph)) + 1;
    FlowGraph flow(num_vertices(graph) + 2);
    const std::size_t from = num_vertices(graph);
    const std::size_t into = from + 1;
    for (const Channel channel : channels_of(graph)) {
        // Nodes of the first half only send, and nodes of the second half only receive.
        const std::size_t sender = source(channel, graph);
        const std::size_t receiver = target(channel, graph);
        const bool is_used =
            (!topology.is_injection(channel) || in_first_half[sender - topology.switch_count()]) &&
            (!topology.is_ejection(channel) || !in_first_half[receiver - topology.switch_count()]);
        if (is_used) {
            add_flow_channel(sender, receiver, topology.is_hop(channel) ? 1 : unlimited, flow);
        }
    }
    for (std::size_t node = 0; node < topology.node_count(); ++node) {
        const std::size_t vertex = topology.vertex_of_node(node);
        if (in_first_half[node]) {
            add_flow_channel(from, vertex, unlimited, flow);
        } else {
            add_flow_channel(vertex, into, unlimited, flow);
        }
    }
    return boost::push_relabel_max_flow(
        flow, from, into,
        boost::capacity_map(get(&FlowChannel::capacity, flow))
            .residual_capacity_map(get(&FlowChannel::residual, flow))
            .reverse_edge_map(get(&FlowChannel::reverse, flow))
            .vertex_index_map(get(boost::vertex_index, flow)));
}

Bisection bisection_of(const Topology& topology, std::size_t most_tries) {
    if (topology.standard_cut()) {
        return bisection_by_standard_cut(topology, *topology.standard_cut());
    }
    std::vector<std::size_t> order(topology.node_count());
    std::iota(order.begin(), order.end(), 0U);
    Bisection least{0, half_in_order(order), false, "nodes halved by their order in the file"};
    least.channels = channels_either_way(topology, least.in_first_half);
    const std::size_t tries = std::min(most_tries, order.size());
    for (std::size_t i = 0; i < tries; ++i) {
        const std::size_t centre = i * order.size() / tries;
        std::vector<std::int32_t> hops = hops_from(topology, centre);
        hops[centre] = 0;
        std::vector<std::size_t> by_distance = order;
        std::stable_sort(by_distance.begin(), by_distance.end(),
                         [&](std::size_t a, std::size_t b) { return hops[a] < hops[b]; });
        Bisection found{
            0, half_in_order(by_distance), false,
            "the half nearest to " + topology.graph()[topology.vertex_of_node(centre)].name};
        found.channels = channels_either_way(topology, found.in_first_half);
        if (found.channels < least.channels) {
            least = std::move(found);
        }
    }
    return least;
}

}  // namespace weir::network
