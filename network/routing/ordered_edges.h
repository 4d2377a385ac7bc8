#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weir::network {

/// Edges of a directed graph, each once.
class EdgeSet {
  public:
    using Vertex = std::uint32_t;
    static constexpr Vertex kNone = ~Vertex{0};

    explicit EdgeSet(std::size_t vertex_count) : targets_(vertex_count) {}

    void add(Vertex from, Vertex into) {
        Targets& targets = targets_[from];
        if (targets.newest == into) {  // from one destination to the next little changes
            return;
        }
        targets.newest = into;
        const auto at = std::lower_bound(targets.sorted.begin(), targets.sorted.end(), into);
        if (at == targets.sorted.end() || *at != into) {
            targets.sorted.insert(at, into);
        }
    }
    /// Those with an edge from it, in their order.
    [[nodiscard]] const std::vector<Vertex>& behind(Vertex from) const {
        return targets_[from].sorted;
    }
    [[nodiscard]] std::size_t vertex_count() const { return targets_.size(); }
    /// In their order.
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

/// A level for each vertex, above those of all with an edge to it: there are such as long as the
/// edges have no circle.
class Levels {
  public:
    using Vertex = EdgeSet::Vertex;

    /// Of the edges that there are, which have no circle, and must stay.
    explicit Levels(EdgeSet& edges);

    [[nodiscard]] std::uint32_t operator[](Vertex vertex) const { return levels_[vertex]; }
    /// An edge more, which the edges get, too; false when it closes a circle. Then there are no
    /// levels any more.
    [[nodiscard]] bool add(Vertex from, Vertex into);

  private:
    EdgeSet& edges_;
    std::vector<std::uint32_t> levels_;
    std::vector<Vertex> raised_;  // whose edges are still to be looked at
};

}  // namespace weir::network
