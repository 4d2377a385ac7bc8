#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weir::network {

/// Edges of a directed graph, without duplicates.
class EdgeSet {
  public:
    using Vertex = std::uint32_t;
    static constexpr Vertex kNone = ~Vertex{0};

    explicit EdgeSet(std::size_t vertex_count) : targets_(vertex_count) {}

    void add(Vertex from, Vertex into) {
        Targets& targets = targets_[from];
        if (targets.newest == into) {  // common case: successive destinations add the same edges
            return;
        }
        targets.newest = into;
        const auto at = std::lower_bound(targets.sorted.begin(), targets.sorted.end(), into);
        if (at == targets.sorted.end() || *at != into) {
            targets.sorted.insert(at, into);
        }
    }
    /// Targets of the vertex's edges, in ascending order.
    [[nodiscard]] const std::vector<Vertex>& behind(Vertex from) const {
        return targets_[from].sorted;
    }
    [[nodiscard]] std::size_t vertex_count() const { return targets_.size(); }
    /// All edges, in ascending order.
    [[nodiscard]] std::vector<std::pair<Vertex, Vertex>> edges() const {
        std::vector<std::pair<Vertex, Vertex>> edges;
        for (std::size_t from = 0; from < targets_.size(); ++from) {
            for (const Vertex into : targets_[from].sorted) {
                edges.emplace_back(static_cast<Vertex>(from), into);
            }
        }
        return edges;
    }

  private:
    struct Targets {
        Vertex newest = kNone;
        std::vector<Vertex> sorted;
    };
    std::vector<Targets> targets_;
};

/// A level for each vertex, higher than the levels of all vertices with an edge to it. Levels exist
/// as long as the graph is acyclic.
class Levels {
  public:
    using Vertex = EdgeSet::Vertex;

    /// Computes the levels of a graph, which must be acyclic. `edges` must outlive this object.
    explicit Levels(EdgeSet& edges);

    [[nodiscard]] std::uint32_t operator[](Vertex vertex) const { return levels_[vertex]; }
    /// Adds an edge to the graph and updates the levels. Returns false if the edge closes a cycle;
    /// the levels are then invalid.
    [[nodiscard]] bool add(Vertex from, Vertex into);

  private:
    EdgeSet& edges_;
    std::vector<std::uint32_t> levels_;
    std::vector<Vertex> raised_;  // vertices whose outgoing edges are still to be checked
};

}  // namespace weir::network
