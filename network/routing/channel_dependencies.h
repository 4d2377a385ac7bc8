#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "network/routing/routing.h"

namespace weir::network {

/// The channel dependency graph: an edge leads from each virtual channel that a message may hold to
/// each one that it may request next. It is a directed graph (Boost.Graph) with a vertex for each
/// virtual channel of each channel. It is built from all routes between all pairs of nodes and for
/// all lots. The graphs of dimension order and of routing in two phases are composed of parts.
/// Routing is deadlock-free if the graph is acyclic (Dally and Seitz 1987).
///
/// Adaptive routing with escape channels is deadlock-free under two conditions (Duato 1993):
/// - The escape channels alone lead to the destination from each place that a message can reach.
/// - The extended dependency graph of the escape channels is acyclic. It has an edge from an escape
///   channel to each one requested directly after it, or after any number of other channels.
///
/// Escape channels are the same for every destination, so there are no cross dependencies. Virtual
/// channels that are no escape channels have no edges. A large network has millions of indirect
/// dependencies. The graph has only some of these: enough to have a cycle if, and only if, all of
/// them together have one.
///
/// Both proofs assume that nodes consume arriving messages. Handlers that send into finite queues
/// add dependencies that are not in the graph.
class ChannelDependencies {
  public:
    enum class Of : std::uint8_t {
        kProof,    ///< dependencies that the proof needs; with escape channels, only theirs
        kAllWays,  ///< all dependencies, also those of channels that are no escapes
    };
    /// `routing` and its topology must outlive this object.
    explicit ChannelDependencies(const Routing& routing, Of of = Of::kProof);

    /// True if the graph has no cycle, by Boost.Graph's topological sort.
    [[nodiscard]] bool is_acyclic() const;
    /// True if messages between two nodes may take different virtual channels, and so overtake one
    /// another.
    [[nodiscard]] bool has_choice() const { return has_choice_; }
    /// A virtual channel and destination from which the escape channels do not lead on: "(1,0) to
    /// node 3". The text is empty if there is none, and for routing without escape channels.
    [[nodiscard]] const std::string& stuck_at() const { return stuck_at_; }
    /// Virtual channels of a cycle, each of which waits for the next, and the last for the first.
    /// The cycle is the shortest one through one of its channels; empty if the graph is acyclic.
    [[nodiscard]] std::vector<std::string> cycle() const;

    [[nodiscard]] std::size_t dependency_count() const { return num_edges(graph_); }
    /// Name of a vertex: "(7,0) +x", or "(7,0) +x virtual channel 1" if the routing has several
    /// virtual channels.
    [[nodiscard]] std::string name(std::size_t vertex) const;
    /// Numbers of the vertices, by name. All virtual channels of a node's channel share one vertex,
    /// since each may carry any message.
    [[nodiscard]] std::unordered_map<std::string, std::size_t> vertices_by_name() const;
    [[nodiscard]] bool has(std::size_t holding, std::size_t asked) const {
        return edge(holding, asked, graph_).second;
    }

  private:
    using Graph = boost::compressed_sparse_row_graph<boost::directedS>;
    using Edge = std::pair<std::uint32_t, std::uint32_t>;

    void follow(const Routing& routing, Of of);
    void make_graph(const std::vector<Edge>& edges, const Routing& routing);

    const Routing& routing_;
    ChannelIndex channels_;
    std::string stuck_at_;
    bool has_choice_ = false;
    Graph graph_;
};

}  // namespace weir::network
