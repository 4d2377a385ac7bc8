#include "network/faults/dead_channels.h"

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/reverse_graph.hpp>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "hw/random_stream.h"
#include "network/plan_fault.h"
#include "network/routing/routing.h"
#include "network/topology/topology_family.h"

namespace weir::network {

namespace {

using Place = std::pair<std::size_t, int>;  // source vertex and output port of a channel

Place place_of(Channel channel, const TopologyGraph& graph) {
    return {source(channel, graph), graph[channel].output_port};
}

// Filter of the graph's edges: true for channels that are not dead.
struct IsAlive {
    const TopologyGraph* graph = nullptr;
    const std::set<Place>* dead = nullptr;
    bool operator()(Channel channel) const { return !dead->contains(place_of(channel, *graph)); }
};

template <class Graph>
std::size_t reached_from(std::size_t vertex, const Graph& graph) {
    std::vector<std::size_t> distances(num_vertices(graph), num_vertices(graph));
    distances[vertex] = 0;
    boost::breadth_first_search(graph, vertex,
                                boost::visitor(boost::make_bfs_visitor(boost::record_distances(
                                    distances.data(), boost::on_tree_edge()))));
    return num_vertices(graph) -
           std::count(distances.begin(), distances.end(), num_vertices(graph));
}

// True if each vertex has a path to each other one over channels that are not dead.
bool is_in_one_piece(const TopologyGraph& graph, const std::set<Place>& dead) {
    const boost::filtered_graph<TopologyGraph, IsAlive> alive(graph, IsAlive{&graph, &dead});
    return reached_from(0, alive) == num_vertices(graph) &&
           reached_from(0, boost::make_reverse_graph(alive)) == num_vertices(graph);
}

std::vector<Channel> channels_at(const std::set<Place>& places, const TopologyGraph& graph) {
    std::vector<Channel> channels;
    for (const Channel channel : channels_of(graph)) {
        if (places.contains(place_of(channel, graph))) {
            channels.push_back(channel);
        }
    }
    return channels;
}

// True if the network still has all routes without the `dead` channels. Trees need paths that go
// first up and then down; a tree with several roots may be connected and still lack such a path.
bool can_miss(const Topology& topology, const std::set<Place>& dead) {
    if (!is_in_one_piece(topology.graph(), dead)) {
        return false;
    }
    if (!topology.family().depths(topology)) {
        return true;
    }
    const Topology rest = topology.without(channels_at(dead, topology.graph()));
    try {
        static_cast<void>(up_down_routing(rest));
    } catch (const std::invalid_argument&) {
        return false;
    }
    return true;
}

bool joins_routers(Channel channel, const Topology& topology) {
    return !topology.is_injection(channel) && !topology.is_ejection(channel);
}

// Links between two routers. A link is a channel and the channel back, or a channel alone if none
// leads back.
std::vector<std::vector<Channel>> links_of(const Topology& topology) {
    const TopologyGraph& graph = topology.graph();
    std::map<std::pair<std::size_t, std::size_t>, std::vector<Channel>> between;
    for (const Channel channel : channels_of(graph)) {
        if (joins_routers(channel, topology)) {
            between[{source(channel, graph), target(channel, graph)}].push_back(channel);
        }
    }
    std::vector<std::vector<Channel>> links;
    for (const auto& [ends, there] : between) {
        const auto back = between.find({ends.second, ends.first});
        const std::size_t ways_back = back == between.end() ? 0 : back->second.size();
        const bool is_first = ends.first < ends.second;
        for (std::size_t i = 0; i < there.size(); ++i) {
            if (is_first && i < ways_back) {
                links.push_back({there[i], back->second[i]});
            } else if (i >= ways_back) {
                links.push_back({there[i]});
            }
        }
    }
    return links;
}

std::vector<std::vector<Channel>> shuffled(std::vector<std::vector<Channel>> links,
                                           std::uint64_t seed) {
    hw::RandomStream stream(seed, hw::NodeId(0), "dead links");
    for (std::size_t left = links.size(); left > 1; --left) {
        std::swap(links[left - 1], links[stream.below(left)]);
    }
    return links;
}

void draw_dead(const FaultParameters& faults, const Topology& topology, std::uint64_t seed,
               std::set<Place>& dead) {
    const TopologyGraph& graph = topology.graph();
    const auto links = shuffled(links_of(topology), seed);
    const double share = faults.dead_link_percent.value() / 100.0;
    const std::size_t asked = std::llround(share * static_cast<double>(links.size()));
    if (asked == 0 && share > 0.0) {
        throw PlanFault("faults.dead_link_percent",
                        "is less than half a link of the " + std::to_string(links.size()) +
                            " links of " + topology.title(),
                        "0, or more");
    }
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < links.size() && drawn < asked; ++i) {
        std::set<Place> more = dead;
        for (const Channel channel : links[i]) {
            more.insert(place_of(channel, graph));
        }
        if (can_miss(topology, more)) {
            dead = std::move(more);
            ++drawn;
        }
    }
    if (drawn < asked) {
        throw PlanFault("faults.dead_link_percent",
                        "requests " + std::to_string(asked) + " dead links out of " +
                            std::to_string(links.size()) + ", and " + topology.title() +
                            " can lose only " + std::to_string(drawn) +
                            " of the links drawn with seed " + std::to_string(seed),
                        "fewer");
    }
}

class ChannelNames {
  public:
    explicit ChannelNames(const Topology& topology) : topology_(topology) {
        for (const Channel channel : channels_of(topology.graph())) {
            by_name_.emplace(topology.channel_name(channel), channel);
        }
    }

    // Throws PlanFault if no channel has this name.
    [[nodiscard]] Channel find(const hw::Parameter<std::string>& list,
                               const std::string& name) const {
        const auto found = by_name_.find(name);
        if (found == by_name_.end()) {
            throw PlanFault(
                "faults." + list.name(),
                "names \"" + name + "\", and " + topology_.title() + " has no channel of that name",
                "a channel's name, as \"" + example() + "\"");
        }
        return found->second;
    }

  private:
    [[nodiscard]] std::string example() const {
        return topology_.channel_name(*out_edges(0, topology_.graph()).first);
    }

    const Topology& topology_;
    std::unordered_map<std::string, Channel> by_name_;
};

}  // namespace

std::vector<Channel> dead_channels_of(const FaultParameters& faults, const Topology& topology,
                                      std::uint64_t seed) {
    const TopologyGraph& graph = topology.graph();
    const ChannelNames names(topology);
    std::set<Place> dead;
    for (const ListedFault& entry : FaultParameters::entries(faults.dead_channels)) {
        const Channel channel = names.find(faults.dead_channels, entry.place);
        if (!joins_routers(channel, topology)) {
            throw PlanFault(
                "faults.dead_channels",
                "names \"" + entry.place + "\", which is a node's injection or ejection channel",
                "channels between routers; for a node use faults.failing_nodes, as \"7 @ 0\"");
        }
        dead.insert(place_of(channel, graph));
    }
    if (faults.dead_link_percent.is_given()) {
        draw_dead(faults, topology, seed, dead);
    }
    return channels_at(dead, graph);
}

void check_places(const FaultParameters& faults, const Topology& topology) {
    const ChannelNames names(topology);
    for (const hw::Parameter<std::string>* list : faults.lists_of_channels()) {
        for (const ListedFault& entry : FaultParameters::entries(*list)) {
            static_cast<void>(names.find(*list, entry.place));
        }
    }
    for (const ListedFault& entry : FaultParameters::entries(faults.failing_nodes)) {
        const std::string& text = entry.place;
        std::size_t node = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), node);
        if (error != std::errc() || end != text.data() + text.size() ||
            node >= topology.node_count()) {
            throw PlanFault("faults.failing_nodes", "names \"" + text + "\"",
                            "a node's number, 0 to " + std::to_string(topology.node_count() - 1));
        }
    }
}

}  // namespace weir::network
