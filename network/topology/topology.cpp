#include "network/topology/topology.h"

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <cassert>
#include <set>

#include "network/topology/topology_family.h"

namespace weir::network {

Topology::Topology(const TopologyFamily& family, std::string title, const TopologyGraph& graph,
                   CountedHops counted, std::optional<StandardCut> cut,
                   std::optional<Lattice> lattice)
    : family_(&family),
      title_(std::move(title)),
      graph_(graph),
      counted_(counted),
      cut_(std::move(cut)),
      lattice_(std::move(lattice)) {
    while (switch_count_ < num_vertices(graph_) &&
           graph_[switch_count_].kind == VertexKind::kSwitch) {
        ++switch_count_;
    }
    assert(std::all_of(vertices(graph_).first + static_cast<std::ptrdiff_t>(switch_count_),
                       vertices(graph_).second, [this](std::size_t vertex) {
                           return graph_[vertex].kind == VertexKind::kNode;
                       }));
    assert(!cut_ || cut_->in_first_half.size() == node_count());
}

StandardCut halves_by_number(std::size_t nodes) {
    StandardCut cut{std::vector<bool>(nodes), std::nullopt, "nodes halved by their numbers"};
    std::fill_n(cut.in_first_half.begin(), nodes / 2, true);
    return cut;
}

bool Topology::is_hop(Channel channel) const {
    if (is_injection(channel)) {
        return counted_.injection;
    }
    return !is_ejection(channel) || counted_.ejection;
}

std::string Topology::channel_name(Channel channel) const {
    return graph_[source(channel, graph_)].name + " " + graph_[channel].direction;
}

Topology Topology::without(const std::vector<Channel>& channels) const {
    std::set<std::pair<std::size_t, int>> ports;
    for (const Channel channel : channels) {
        ports.emplace(source(channel, graph_), graph_[channel].output_port);
    }
    Topology rest = *this;
    const TopologyGraph& graph = rest.graph_;
    boost::remove_edge_if(
        [&](Channel channel) {
            return ports.contains({source(channel, graph), graph[channel].output_port});
        },
        rest.graph_);
    if (!channels.empty()) {
        rest.is_whole_ = false;
        rest.title_ += " without " + std::to_string(channels.size()) + " channel" +
                       (channels.size() == 1 ? "" : "s");
        if (rest.cut_) {
            rest.cut_->bisection.reset();
        }
    }
    return rest;
}

std::vector<Channel> channels_of(const TopologyGraph& graph) {
    std::vector<Channel> channels;
    for (const auto vertex : boost::make_iterator_range(vertices(graph))) {
        const auto out = out_edges(vertex, graph);
        channels.insert(channels.end(), out.first, out.second);
    }
    return channels;
}

std::string extents_text(const std::vector<std::int32_t>& extents) {
    std::string text;
    for (const std::int32_t extent : extents) {
        text += (text.empty() ? "" : " x ") + std::to_string(extent);
    }
    return text;
}

void add_node_at_each_switch(int node_port, TopologyGraph& graph) {
    const std::size_t switches = num_vertices(graph);
    for (std::size_t i = 0; i < switches; ++i) {
        const std::size_t node =
            add_vertex({VertexKind::kNode, "node " + std::to_string(i), {}}, graph);
        add_edge(node, i, {0, node_port, "injection"}, graph);
        add_edge(i, node, {node_port, 0, "ejection"}, graph);
    }
}

}  // namespace weir::network
