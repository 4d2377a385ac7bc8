#include <boost/graph/breadth_first_search.hpp>
#include <boost/range/iterator_range.hpp>
#include <deque>
#include <stdexcept>
#include <tuple>

#include "network/routing/routing.h"

namespace weir::network {

namespace {

constexpr std::int32_t kNoWay = -1;

// How far a switch is from the root, smaller is nearer: none are equal.
using Rank = std::pair<std::int32_t, std::size_t>;

std::vector<Rank> ranks_of(const Topology& topology) {
    const TopologyGraph& graph = topology.graph();
    std::vector<std::int32_t> depth(num_vertices(graph), 0);
    if (topology.kind() != TopologyKind::kFatTree) {
        boost::breadth_first_search(graph, 0,
                                    boost::visitor(boost::make_bfs_visitor(boost::record_distances(
                                        depth.data(), boost::on_tree_edge()))));
    }
    std::vector<Rank> ranks;
    for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
        const bool is_tree = topology.kind() == TopologyKind::kFatTree;
        ranks.emplace_back(is_tree ? -graph[vertex].coordinates[0] : depth[vertex], vertex);
    }
    return ranks;
}

// For each destination, the channels still to take from each switch, one table for messages that
// may still go up and one for those that have gone down.
class UpDownRouting final : public Routing {
  public:
    explicit UpDownRouting(const Topology& topology)
        : Routing(topology), ranks_(ranks_of(topology)) {
        for (std::size_t node = 0; node < topology.node_count(); ++node) {
            left_.push_back(channels_left(node));
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
        const Left& left = left_[destination];
        const bool may_go_up = !came_down(place);
        const std::int32_t here = (may_go_up ? left.going_up : left.gone_down)[place.vertex];
        for (const Channel channel :
             boost::make_iterator_range(out_edges(place.vertex, topology().graph()))) {
            if ((may_go_up || !is_up(channel)) && left_after(channel, left) == here - 1) {
                outputs.push_back({topology().graph()[channel].output_port, 0});
            }
        }
    }

  private:
    struct Left {
        std::vector<std::int32_t> going_up;
        std::vector<std::int32_t> gone_down;
    };

    // Into a node is down, out of one is up.
    [[nodiscard]] bool is_up(Channel channel) const {
        const TopologyGraph& graph = topology().graph();
        return topology().is_injection(channel) ||
               (!topology().is_ejection(channel) &&
                ranks_[target(channel, graph)] < ranks_[source(channel, graph)]);
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

    // Breadth-first from the destination, against the channels: what has gone down came by a
    // channel down, in front of which a message may still have been going up.
    [[nodiscard]] Left channels_left(std::size_t destination) const {
        const TopologyGraph& graph = topology().graph();
        const std::size_t end = topology().vertex_of_node(destination);
        Left left{std::vector<std::int32_t>(num_vertices(graph), kNoWay),
                  std::vector<std::int32_t>(num_vertices(graph), kNoWay)};
        left.gone_down[end] = 0;
        std::deque<std::pair<std::size_t, bool>> found{{end, true}};  // vertex, has gone down
        while (!found.empty()) {
            const auto [vertex, is_down] = found.front();
            found.pop_front();
            const std::int32_t distance = (is_down ? left.gone_down : left.going_up)[vertex] + 1;
            const auto reach = [&, distance = distance](std::size_t before, bool down_before) {
                std::int32_t& known = (down_before ? left.gone_down : left.going_up)[before];
                if (known == kNoWay) {
                    known = distance;
                    found.emplace_back(before, down_before);
                }
            };
            for (const Channel channel : boost::make_iterator_range(in_edges(vertex, graph))) {
                const std::size_t before = source(channel, graph);
                if (topology().is_injection(channel) || is_up(channel) == is_down) {
                    continue;
                }
                if (is_down) {
                    reach(before, true);
                }
                reach(before, false);
            }
        }
        return left;
    }

    void check_way(std::size_t node, std::size_t first_switch) const {
        for (std::size_t other = 0; other < topology().node_count(); ++other) {
            if (left_[other].going_up[first_switch] == kNoWay) {
                const TopologyGraph& graph = topology().graph();
                throw std::invalid_argument("there is no way up and then down from " +
                                            graph[topology().vertex_of_node(node)].name + " to " +
                                            graph[topology().vertex_of_node(other)].name);
            }
        }
    }

    std::vector<Rank> ranks_;
    std::vector<Left> left_;
};

}  // namespace

std::unique_ptr<Routing> up_down_routing(const Topology& topology) {
    return std::make_unique<UpDownRouting>(topology);
}

}  // namespace weir::network
