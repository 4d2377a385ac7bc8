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

/// Which virtual channel a message may hold while it asks for which: a directed graph (Boost.Graph)
/// with a vertex a virtual channel of each channel, built from every way that a message of any node
/// to any other can go, whatever lot it draws. Routing is free of deadlock when it has no cycle
/// (Dally and Seitz 1987).
///
/// Adaptive routing with escapes is free of deadlock when its escapes alone lead from wherever a
/// message can come to its destination, and when the escapes' virtual channels have no cycle, where
/// one depends on another too when a message asks for it after any number of others (Duato 1993:
/// the extended graph of direct and indirect dependencies; escapes are escapes for every
/// destination, so there are no cross dependencies). Other virtual channels then have no edges. Of
/// the dependencies after others, which are millions in a large network, the graph has some: enough
/// that it has a cycle if, and only if, all of them together have one.
///
/// Both hold where nodes take in what arrives: handlers that send into queues that fill depend on
/// more than this.
class ChannelDependencies {
  public:
    enum class Of : std::uint8_t {
        kProof,    ///< of adaptive routing its escapes' alone, as above
        kAllWays,  ///< whatever a message may hold and ask for next
    };
    /// The routing, and its topology, must stay.
    explicit ChannelDependencies(const Routing& routing, Of of = Of::kProof);

    /// By Boost.Graph's topological sort.
    [[nodiscard]] bool is_acyclic() const;
    /// Whether messages of one node to another may take different virtual channels, and so overtake
    /// one another.
    [[nodiscard]] bool has_choice() const { return has_choice_; }
    /// Where the escapes leave a message stuck, if anywhere: "(1,0) to node 3". Without escapes
    /// nothing.
    [[nodiscard]] const std::string& stuck_at() const { return stuck_at_; }
    /// A cycle's virtual channels, each waiting for the next and the last for the first; the
    /// shortest through one of its channels. Empty when there is none.
    [[nodiscard]] std::vector<std::string> cycle() const;

    [[nodiscard]] std::size_t dependency_count() const { return num_edges(graph_); }
    /// "(7,0) +x", with virtual channels "(7,0) +x virtual channel 1".
    [[nodiscard]] std::string name(std::size_t vertex) const;
    /// The vertices by name. A node's channels are known by every lane that they may have, as any
    /// serves any message.
    [[nodiscard]] std::unordered_map<std::string, std::size_t> vertices_by_name() const;
    [[nodiscard]] bool has(std::size_t holding, std::size_t asked) const {
        return edge(holding, asked, graph_).second;
    }

  private:
    using Graph = boost::compressed_sparse_row_graph<boost::directedS>;
    using Edge = std::pair<std::uint32_t, std::uint32_t>;

    void make_graph(const std::vector<Edge>& edges);

    const Routing& routing_;
    ChannelIndex channels_;
    std::string stuck_at_;
    bool has_choice_ = false;
    Graph graph_;
};

}  // namespace weir::network
