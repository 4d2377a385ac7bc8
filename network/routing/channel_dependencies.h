#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "network/routing/routing.h"

namespace weir::network {

/// Which virtual channel a message may hold while it asks for which: a directed graph (Boost.Graph)
/// with a vertex a virtual channel of each channel, built from every way that a message of any node
/// to any other can go. Routing is free of deadlock when it has no cycle (Dally and Seitz 1987; for
/// routing with choice that is enough, but Duato's weaker condition would do). That holds where
/// nodes take in what arrives: handlers that send into queues that fill depend on more than this.
class ChannelDependencies {
  public:
    /// The routing, and its topology, must stay.
    explicit ChannelDependencies(const Routing& routing);

    /// By Boost.Graph's topological sort.
    [[nodiscard]] bool is_acyclic() const;
    /// A cycle's virtual channels, each waiting for the next and the last for the first; the
    /// shortest through one of its channels. Empty when there is none.
    [[nodiscard]] std::vector<std::string> cycle() const;

    [[nodiscard]] std::size_t dependency_count() const { return num_edges(graph_); }
    /// "(7,0) +x", with virtual channels "(7,0) +x virtual channel 1".
    [[nodiscard]] std::string name(std::size_t vertex) const;

  private:
    using Graph = boost::adjacency_list<boost::setS, boost::vecS, boost::directedS>;

    void add_ways_to(std::size_t destination);

    const Routing& routing_;
    ChannelIndex channels_;
    Graph graph_;
};

}  // namespace weir::network
