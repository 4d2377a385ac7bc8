#include "nodes/wait_cycle.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/range/iterator_range.hpp>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "network/fabric/fabric.h"
#include "network/routing/channel_dependencies.h"

namespace weir::nodes {

namespace {

using WaitGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS,
                                        boost::no_property, const hw::Wait*>;
using Edge = WaitGraph::edge_descriptor;
using Waits = std::vector<const hw::Wait*>;

// Remembers the tree edge into each vertex; the first back edge closes a cycle.
class CycleFinder : public boost::default_dfs_visitor {
  public:
    CycleFinder(std::vector<Edge>& tree_edge, std::vector<Edge>& cycle)
        : tree_edge_(tree_edge), cycle_(cycle) {}

    void tree_edge(const Edge& edge, const WaitGraph& graph) {
        tree_edge_[target(edge, graph)] = edge;
    }
    void back_edge(const Edge& edge, const WaitGraph& graph) {
        if (!cycle_.empty()) {
            return;
        }
        cycle_.push_back(edge);
        for (auto vertex = source(edge, graph); vertex != target(edge, graph);
             vertex = source(tree_edge_[vertex], graph)) {
            cycle_.push_back(tree_edge_[vertex]);
        }
        std::reverse(cycle_.begin(), cycle_.end());
    }

  private:
    std::vector<Edge>& tree_edge_;
    std::vector<Edge>& cycle_;
};

std::string sentence(const hw::Wait& wait) {
    return "  " + wait.who + " waits for " + wait.for_whom + ": " + wait.why + "\n";
}

std::string sentences(const Waits& cycle) {
    std::string text = "a cycle of parts that wait for one another:\n";
    for (const hw::Wait* wait : cycle) {
        text += sentence(*wait);
    }
    return text;
}

WaitGraph graph_of(const Waits& waits) {
    std::map<std::string, std::size_t> vertex_of;
    const auto vertex = [&](const std::string& name) {
        return vertex_of.emplace(name, vertex_of.size()).first->second;
    };
    WaitGraph graph;
    for (const hw::Wait* wait : waits) {
        const std::size_t from = vertex(wait->who);
        const std::size_t to = vertex(wait->for_whom);
        add_edge(from, to, wait, graph);
    }
    return graph;
}

// Finds the first wait that satisfies `is_wanted` and lies in a cycle. Returns a shortest cycle
// that begins with it; empty if there is none.
template <class IsWanted>
Waits cycle_with(const Waits& waits, const IsWanted& is_wanted) {
    const WaitGraph graph = graph_of(waits);
    std::vector<std::size_t> component(num_vertices(graph));
    boost::strong_components(graph, boost::make_iterator_property_map(
                                        component.begin(), get(boost::vertex_index, graph)));
    for (const Edge& edge : boost::make_iterator_range(edges(graph))) {
        const std::size_t first = source(edge, graph);
        const std::size_t second = target(edge, graph);
        if (component[first] != component[second] || !is_wanted(*graph[edge])) {
            continue;
        }
        std::vector<Edge> into(num_vertices(graph));
        boost::breadth_first_search(
            graph, second,
            boost::visitor(boost::make_bfs_visitor(
                boost::record_edge_predecessors(into.data(), boost::on_tree_edge()))));
        Waits cycle;
        for (std::size_t at = first; at != second; at = source(into[at], graph)) {
            cycle.push_back(graph[into[at]]);
        }
        cycle.push_back(graph[edge]);
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
    }
    return {};
}

// Relates waits to a routing's deadlock proof and its channel dependencies.
class RoutedWaits {
  public:
    explicit RoutedWaits(const network::Routing& routing)
        : proof_(routing), vertices_(proof_.vertices_by_name()) {
        if (!proof_.is_acyclic()) {
            proofs_cycle_ = proof_.cycle();
        }
        if (routing.has_escape()) {
            all_ways_ = std::make_unique<network::ChannelDependencies>(
                routing, network::ChannelDependencies::Of::kAllWays);
        }
    }

    [[nodiscard]] bool can_deadlock() const {
        return !proofs_cycle_.empty() || !proof_.stuck_at().empty();
    }
    /// Returns the waits that form the proof's cycle, in the first copy of the network that has all
    /// of them; empty if no copy has.
    [[nodiscard]] Waits proofs_cycle_among(const hw::WaitReport& report) const {
        const auto place_of = [this](const std::string& channel) {
            const auto at = std::find(proofs_cycle_.begin(), proofs_cycle_.end(), channel);
            return at - proofs_cycle_.begin();
        };
        std::map<std::string, Waits> found;  // by copy of the network
        for (const hw::Wait& wait : report) {
            const auto [who, copy] = channel_and_copy(wait.who);
            const std::size_t place = place_of(who);
            if (place == proofs_cycle_.size()) {
                continue;
            }
            const std::string& next = proofs_cycle_[(place + 1) % proofs_cycle_.size()];
            if (channel_and_copy(wait.for_whom) == std::pair(next, copy)) {
                Waits& waits = found[copy];
                waits.resize(proofs_cycle_.size());
                waits[place] = &wait;
            }
        }
        for (const auto& [copy, waits] : found) {
            if (std::find(waits.begin(), waits.end(), nullptr) == waits.end()) {
                return waits;
            }
        }
        return {};
    }
    [[nodiscard]] bool is_channel_dependency(const hw::Wait& wait) const {
        const auto [who, copy] = channel_and_copy(wait.who);
        const auto [for_whom, other_copy] = channel_and_copy(wait.for_whom);
        const auto holding = vertices_.find(who);
        const auto asked = vertices_.find(for_whom);
        return copy == other_copy && holding != vertices_.end() && asked != vertices_.end() &&
               (all_ways_ ? *all_ways_ : proof_).has(holding->second, asked->second);
    }

  private:
    static std::pair<std::string, std::string> channel_and_copy(const std::string& name) {
        const std::size_t end = std::min(name.rfind(network::Fabric::kOfCopy), name.size());
        return {name.substr(0, end), name.substr(end)};
    }

    network::ChannelDependencies proof_;
    std::unordered_map<std::string, std::size_t> vertices_;
    std::vector<std::string> proofs_cycle_;
    // all channel dependencies; set if the proof has fewer
    std::unique_ptr<network::ChannelDependencies> all_ways_;
};

}  // namespace

std::string explain(const hw::WaitReport& report) {
    Waits waits;
    for (const hw::Wait& wait : report) {
        waits.push_back(&wait);
    }
    const WaitGraph graph = graph_of(waits);
    std::vector<Edge> tree_edge(num_vertices(graph));
    std::vector<Edge> cycle;
    boost::depth_first_search(graph, boost::visitor(CycleFinder(tree_edge, cycle)));
    if (!cycle.empty()) {
        Waits in_cycle;
        std::transform(cycle.begin(), cycle.end(), std::back_inserter(in_cycle),
                       [&](const Edge& edge) { return graph[edge]; });
        return sentences(in_cycle);
    }
    if (report.empty()) {
        return "no part reports a wait\n";
    }
    std::string text = "no cycle among the waiting parts:\n";
    constexpr std::size_t kMost = 40;
    for (std::size_t i = 0; i < std::min(kMost, report.size()); ++i) {
        text += sentence(report[i]);
    }
    if (report.size() > kMost) {
        text += "  and " + std::to_string(report.size() - kMost) + " more\n";
    }
    return text;
}

std::string explain(const hw::WaitReport& report, const network::Routing& routing) {
    const RoutedWaits routed(routing);
    if (const Waits cycle = routed.proofs_cycle_among(report); !cycle.empty()) {
        return sentences(cycle) + "this is the cycle that the deadlock proof names\n";
    }
    Waits waits;
    Waits between_channels;
    for (const hw::Wait& wait : report) {
        waits.push_back(&wait);
        if (routed.is_channel_dependency(wait)) {
            between_channels.push_back(&wait);
        }
    }
    // A routing with a proof cannot deadlock by channels alone. Channels of an adaptive routing may
    // wait in a cycle from which an escape channel leads.
    if (routed.can_deadlock()) {
        const Waits cycle = cycle_with(between_channels, [](const hw::Wait&) { return true; });
        if (!cycle.empty()) {
            return sentences(cycle) +
                   "this is another cycle than the one in the deadlock proof; each of its steps is "
                   "a channel dependency of the routing, too\n";
        }
    }
    const auto is_end_points = [&](const hw::Wait& wait) {
        return !routed.is_channel_dependency(wait);
    };
    const Waits cycle = cycle_with(waits, is_end_points);
    if (cycle.empty()) {
        return explain(report);
    }
    std::string text =
        sentences(cycle) +
        "channel dependencies alone do not close the cycle; these steps are protocol dependencies "
        "of end points that do not take in arriving messages:\n";
    for (const hw::Wait* wait : cycle) {
        if (is_end_points(*wait)) {
            text += "  " + wait->who + " waits for " + wait->for_whom + "\n";
        }
    }
    return text;
}

}  // namespace weir::nodes
