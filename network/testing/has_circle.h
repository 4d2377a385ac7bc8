#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/topological_sort.hpp>
#include <cstddef>
#include <iterator>
#include <vector>

namespace weir::network::testing {

/// True if the graph of these edges has a cycle, by Boost.Graph. An edge is a pair of vertices,
/// from the first to the second.
template <class Edges>
[[nodiscard]] bool has_circle(const Edges& edges, std::size_t vertex_count) {
    const boost::adjacency_list<> graph(edges.begin(), edges.end(), vertex_count);
    std::vector<std::size_t> order;
    try {
        boost::topological_sort(graph, std::back_inserter(order));
    } catch (const boost::not_a_dag&) {
        return true;
    }
    return false;
}

}  // namespace weir::network::testing
