#include "nodes/wait_cycle.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <map>
#include <vector>

namespace weir::nodes {

namespace {

using WaitGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS,
                                        boost::no_property, const hw::Wait*>;
using Edge = WaitGraph::edge_descriptor;

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

}  // namespace

std::string explain(const hw::WaitReport& report) {
    std::map<std::string, std::size_t> vertex_of;
    const auto vertex = [&](const std::string& name) {
        return vertex_of.emplace(name, vertex_of.size()).first->second;
    };
    WaitGraph graph;
    for (const hw::Wait& wait : report) {
        const std::size_t from = vertex(wait.who);
        const std::size_t to = vertex(wait.for_whom);
        add_edge(from, to, &wait, graph);
    }
    std::vector<Edge> tree_edge(num_vertices(graph));
    std::vector<Edge> cycle;
    boost::depth_first_search(graph, boost::visitor(CycleFinder(tree_edge, cycle)));
    std::string text;
    if (!cycle.empty()) {
        text = "a cycle of parts that wait for one another:\n";
        for (const Edge& edge : cycle) {
            text += sentence(*graph[edge]);
        }
        return text;
    }
    if (report.empty()) {
        return "no part says what it waits for\n";
    }
    text = "no cycle among the parts; these wait:\n";
    constexpr std::size_t kMost = 40;
    for (std::size_t i = 0; i < std::min(kMost, report.size()); ++i) {
        text += sentence(report[i]);
    }
    if (report.size() > kMost) {
        text += "  and " + std::to_string(report.size() - kMost) + " more\n";
    }
    return text;
}

}  // namespace weir::nodes
