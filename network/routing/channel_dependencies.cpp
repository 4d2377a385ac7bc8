#include "network/routing/channel_dependencies.h"

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/graph/topological_sort.hpp>
#include <boost/range/iterator_range.hpp>
#include <iterator>

#include "network/routing/ordered_edges.h"
#include "network/routing/phase_dependencies.h"
#include "network/routing/ring_dependencies.h"
#include "network/routing/route_walk.h"

namespace weir::network {

ChannelDependencies::ChannelDependencies(const Routing& routing, Of of)
    : routing_(routing), channels_(routing.topology()) {
    if (const auto all_lots = routing.of_all_lots()) {
        follow(*all_lots, of);
    } else if (const auto phase = routing.of_a_phase()) {
        follow(*phase, of);
        EdgeSet of_a_phase(num_vertices(graph_));
        for (const auto edge : boost::make_iterator_range(edges(graph_))) {
            of_a_phase.add(static_cast<EdgeSet::Vertex>(source(edge, graph_)),
                           static_cast<EdgeSet::Vertex>(target(edge, graph_)));
        }
        make_graph(phase_dependencies(*phase, of_a_phase, channels_).edges(), routing);
    } else {
        follow(routing, of);
    }
    has_choice_ = has_choice_ || routing.lots() > 1;
}

// Makes the graph of a routing's own routes.
void ChannelDependencies::follow(const Routing& routing, Of of) {
    if (!routing.dimension_order().empty()) {
        const RingDependencies dependencies = ring_dependencies(routing, channels_);
        has_choice_ = dependencies.has_choice;
        make_graph(dependencies.edges.edges(), routing);
        return;
    }
    RouteWalk walk(routing, channels_, of == Of::kProof);
    const auto for_all = [&routing](const auto& of_destination) {
        for (std::size_t node = 0; node < routing.topology().node_count(); ++node) {
            for (int lot = 0; lot < routing.lots(); ++lot) {
                of_destination(node, lot);
            }
        }
    };
    for_all([&](std::size_t node, int lot) {
        if (const auto stuck = walk.go_to(node, lot)) {
            stuck_at_ = name(*stuck) + " to node " + std::to_string(node);
        }
    });
    has_choice_ = walk.has_choice();
    make_graph(walk.dependencies().edges(), routing);
    if (!walk.has_escape() || !is_acyclic()) {
        return;
    }
    using Order = RouteWalk::Order;
    Levels levels(walk.dependencies());
    for (Order order = Order::kWasRaised; order == Order::kWasRaised;) {
        order = Order::kHolds;
        for_all([&](std::size_t node, int lot) {
            if (order != Order::kHasCircle) {
                order = std::max(order, walk.order_escapes(node, lot, levels));
            }
        });
    }
    make_graph(walk.dependencies().edges(), routing);
}

void ChannelDependencies::make_graph(const std::vector<Edge>& edges, const Routing& routing) {
    graph_ = Graph(boost::edges_are_sorted, edges.begin(), edges.end(),
                   channels_.count() * routing.virtual_channels());
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
    boost::strong_components(graph_, boost::make_iterator_property_map(
                                         component.begin(), get(boost::vertex_index, graph_)));
    for (const auto edge : boost::make_iterator_range(edges(graph_))) {
        const std::size_t first = source(edge, graph_);
        const std::size_t second = target(edge, graph_);
        if (component[first] != component[second]) {
            continue;
        }
        // A path back from `second` to `first`. One exists, since both are in one strongly
        // connected component.
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
    const std::size_t virtual_channels = routing_.virtual_channels();
    const std::string channel =
        routing_.topology().channel_name(channels_.channel(vertex / virtual_channels));
    return virtual_channels == 1
               ? channel
               : channel + " virtual channel " + std::to_string(vertex % virtual_channels);
}

std::unordered_map<std::string, std::size_t> ChannelDependencies::vertices_by_name() const {
    const Topology& topology = routing_.topology();
    const std::size_t virtual_channels = routing_.virtual_channels();
    std::unordered_map<std::string, std::size_t> vertices;
    for (std::size_t vertex = 0; vertex < num_vertices(graph_); ++vertex) {
        const std::size_t number = vertex / virtual_channels;
        const Channel channel = channels_.channel(number);
        const bool is_nodes = topology.is_injection(channel) || topology.is_ejection(channel);
        const std::size_t first_vc = number * virtual_channels;
        vertices.emplace(name(vertex), is_nodes ? first_vc : vertex);
        if (is_nodes) {
            vertices.emplace(topology.channel_name(channel), first_vc);
        }
    }
    return vertices;
}

}  // namespace weir::network
