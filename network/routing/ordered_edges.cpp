#include "network/routing/ordered_edges.h"

namespace weir::network {

Levels::Levels(EdgeSet& edges) : edges_(edges), levels_(edges.vertex_count(), 0) {
    std::vector<std::uint32_t> edges_to(levels_.size(), 0);
    for (Vertex from = 0; from < levels_.size(); ++from) {
        for (const Vertex into : edges_.behind(from)) {
            ++edges_to[into];
        }
    }
    std::vector<Vertex> done;
    for (Vertex vertex = 0; vertex < levels_.size(); ++vertex) {
        if (edges_to[vertex] == 0) {
            done.push_back(vertex);
        }
    }
    while (!done.empty()) {
        const Vertex from = done.back();
        done.pop_back();
        for (const Vertex into : edges_.behind(from)) {
            levels_[into] = std::max(levels_[into], levels_[from] + 1);
            if (--edges_to[into] == 0) {
                done.push_back(into);
            }
        }
    }
}

bool Levels::add(Vertex from, Vertex into) {
    edges_.add(from, into);
    raised_.assign(1, into);
    levels_[into] = std::max(levels_[into], levels_[from] + 1);
    while (!raised_.empty()) {
        const Vertex at = raised_.back();
        raised_.pop_back();
        if (at == from) {
            return false;
        }
        for (const Vertex next : edges_.behind(at)) {
            if (levels_[next] <= levels_[at]) {
                levels_[next] = levels_[at] + 1;
                raised_.push_back(next);
            }
        }
    }
    return true;
}

}  // namespace weir::network
