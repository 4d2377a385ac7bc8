#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/range/iterator_range.hpp>
#include <deque>
#include <limits>
#include <map>
#include <stdexcept>

#include "network/routing/routing.h"
#include "network/routing/routing_kind.h"
#include "network/topology/butterfly.h"
#include "network/topology/topology_family.h"

namespace weir::network {

namespace {

// Order of the switches: distance from the root, then number. No two switches are equal.
using Rank = std::pair<std::int32_t, std::size_t>;

std::vector<std::int32_t> depths_below_first(const Topology& topology) {
    const TopologyGraph& graph = topology.graph();
    std::vector<std::int32_t> depths(num_vertices(graph), 0);
    boost::breadth_first_search(graph, 0,
                                boost::visitor(boost::make_bfs_visitor(boost::record_distances(
                                    depths.data(), boost::on_tree_edge()))));
    return depths;
}

std::vector<Rank> ranks_of(const Topology& topology) {
    auto depths = topology.family().depths(topology);
    if (!depths) {
        depths = depths_below_first(topology);
    }
    std::vector<Rank> ranks;
    for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
        ranks.emplace_back((*depths)[vertex], vertex);
    }
    return ranks;
}

// Number of remaining channels of a route, for each switch. It takes one byte per switch, or two if
// any value needs two.
class ChannelsLeft {
  public:
    static constexpr std::int32_t kNoWay = -1;

    ChannelsLeft() = default;
    // Throws std::invalid_argument for a route that is too long for two bytes.
    explicit ChannelsLeft(const std::vector<std::int32_t>& channels) {
        const std::int32_t most = *std::max_element(channels.begin(), channels.end());
        if (most > kMost) {
            throw std::invalid_argument("an up*/down* route takes " + std::to_string(most) +
                                        " channels, more than " + std::to_string(kMost));
        }
        for (const std::int32_t left : channels) {
            low_.push_back(static_cast<std::uint8_t>((left + 1) & 0xff));
        }
        for (std::size_t i = 0; most >= 0xff && i < channels.size(); ++i) {
            high_.push_back(static_cast<std::uint8_t>((channels[i] + 1) >> 8));
        }
    }
    [[nodiscard]] std::int32_t operator[](std::size_t vertex) const {
        return low_[vertex] + (high_.empty() ? 0 : high_[vertex] << 8) - 1;
    }

  private:
    static constexpr std::int32_t kMost = 0xfffe;

    std::vector<std::uint8_t> low_;  // low bytes of the values plus 1, so that 0 stands for kNoWay
    std::vector<std::uint8_t> high_;
};

// Up*/down* routing by the number of remaining channels to the destination's switch. It has one
// table for messages that may still go up, and one for messages that have gone down.
class UpDownRouting final : public Routing {
  public:
    explicit UpDownRouting(const Topology& topology)
        : Routing(topology), ranks_(ranks_of(topology)) {
        std::map<std::vector<std::size_t>, std::size_t> tables;
        for (std::size_t node = 0; node < topology.node_count(); ++node) {
            std::vector<std::size_t> last = last_switches(node);
            const auto [known, is_new] = tables.emplace(std::move(last), left_.size());
            if (is_new) {
                left_.push_back(channels_left(known->first));
            }
            table_of_.push_back(known->second);
        }
        for (std::size_t node = 0; node < topology.node_count(); ++node) {
            for (const Channel injection : boost::make_iterator_range(
                     out_edges(topology.vertex_of_node(node), topology.graph()))) {
                check_way(node, target(injection, topology.graph()));
            }
        }
    }

    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        const Left& left = left_[table_of_[destination]];
        const bool may_go_up = !came_down(place);
        const std::int32_t here = (may_go_up ? left.going_up : left.gone_down)[place.vertex];
        const std::size_t end = topology().vertex_of_node(destination);
        const TopologyGraph& graph = topology().graph();
        for (const Channel channel : boost::make_iterator_range(out_edges(place.vertex, graph))) {
            const bool is_next = topology().is_ejection(channel)
                                     ? here == 0 && target(channel, graph) == end
                                     : (may_go_up || !is_up(channel)) && here > 0 &&
                                           left_after(channel, left) == here - 1;
            if (is_next) {
                outputs.push_back({graph[channel].output_port, 0});
            }
        }
    }

  private:
    struct Left {
        ChannelsLeft going_up;
        ChannelsLeft gone_down;
    };

    // True if a channel between switches goes up. Channels out of nodes always go up.
    [[nodiscard]] bool is_up(Channel channel) const {
        const TopologyGraph& graph = topology().graph();
        return topology().is_injection(channel) ||
               ranks_[target(channel, graph)] < ranks_[source(channel, graph)];
    }
    [[nodiscard]] bool came_down(const HeaderPlace& place) const {
        const TopologyGraph& graph = topology().graph();
        for (const Channel channel : boost::make_iterator_range(in_edges(place.vertex, graph))) {
            if (graph[channel].input_port == place.input_port) {
                return !is_up(channel);
            }
        }
        return false;
    }
    [[nodiscard]] std::int32_t left_after(Channel channel, const Left& left) const {
        const std::size_t next = target(channel, topology().graph());
        return (is_up(channel) ? left.going_up : left.gone_down)[next];
    }
    [[nodiscard]] std::vector<std::size_t> last_switches(std::size_t node) const {
        std::vector<std::size_t> switches;
        for (const Channel ejection : boost::make_iterator_range(
                 in_edges(topology().vertex_of_node(node), topology().graph()))) {
            switches.push_back(source(ejection, topology().graph()));
        }
        std::sort(switches.begin(), switches.end());
        return switches;
    }

    // Breadth-first search from the last switches, against the channels' direction. A message that
    // has gone down arrived by a down channel; before this channel the message may still have been
    // going up.
    [[nodiscard]] Left channels_left(const std::vector<std::size_t>& last_switches) const {
        const TopologyGraph& graph = topology().graph();
        std::vector<std::int32_t> going_up(topology().switch_count(), ChannelsLeft::kNoWay);
        std::vector<std::int32_t> gone_down = going_up;
        // a vertex, and whether the message has gone down
        std::deque<std::pair<std::size_t, bool>> found;
        const auto reach = [&](std::size_t vertex, bool is_down, std::int32_t distance) {
            std::int32_t& known = (is_down ? gone_down : going_up)[vertex];
            if (known == ChannelsLeft::kNoWay) {
                known = distance;
                found.emplace_back(vertex, is_down);
            }
        };
        for (const std::size_t last : last_switches) {
            reach(last, true, 0);
            reach(last, false, 0);
        }
        while (!found.empty()) {
            const auto [vertex, is_down] = found.front();
            found.pop_front();
            const std::int32_t distance = (is_down ? gone_down : going_up)[vertex] + 1;
            for (const Channel channel : boost::make_iterator_range(in_edges(vertex, graph))) {
                if (topology().is_injection(channel) || is_up(channel) == is_down) {
                    continue;
                }
                if (is_down) {
                    reach(source(channel, graph), true, distance);
                }
                reach(source(channel, graph), false, distance);
            }
        }
        return {ChannelsLeft(going_up), ChannelsLeft(gone_down)};
    }

    void check_way(std::size_t node, std::size_t first_switch) const {
        for (std::size_t other = 0; other < topology().node_count(); ++other) {
            if (left_[table_of_[other]].going_up[first_switch] == ChannelsLeft::kNoWay) {
                const TopologyGraph& graph = topology().graph();
                throw std::invalid_argument("there is no up*/down* route from " +
                                            graph[topology().vertex_of_node(node)].name + " to " +
                                            graph[topology().vertex_of_node(other)].name);
            }
        }
    }

    std::vector<Rank> ranks_;
    std::vector<Left> left_;
    std::vector<std::size_t> table_of_;  // index in left_ of each destination node's table
};

}  // namespace

std::unique_ptr<Routing> up_down_routing(const Topology& topology) {
    if (auto by_place = topology.is_whole() ? topology.family().up_down_by_place(topology)
                                            : std::unique_ptr<Routing>()) {
        return by_place;
    }
    return std::make_unique<UpDownRouting>(topology);
}

const RoutingKind& up_down_routing_kind() {
    static const RoutingKind kind{
        "up_down", "up*/down*: first only up, then only down (Autonet: Schroeder et al. 1991)",
        [](const TopologyFamily& family) { return &family != &butterfly_family(); },
        [](const Topology& topology, const NetworkParameters& /*parameters*/) {
            return up_down_routing(topology);
        }};
    return kind;
}

}  // namespace weir::network
