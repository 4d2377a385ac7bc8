#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/topology/topology.h"

namespace weir::network {

/// A lattice's ports: upwards and downwards in the first dimension, then in the next; the node's is
/// behind them.
[[nodiscard]] constexpr std::size_t lattice_port(std::size_t dimension, bool up) {
    return 2 * dimension + (up ? 0 : 1);
}
[[nodiscard]] constexpr std::size_t dimension_of(std::size_t port) { return port / 2; }

/// The coordinates of a lattice's routers as they are looked up for every header: all in one array,
/// where those of a large network take few of the host's cache lines.
class LatticePlaces {
  public:
    /// The routers are the graph's first vertices; nodes behind them have no coordinates.
    explicit LatticePlaces(const TopologyGraph& graph) : dimensions_(graph[0].coordinates.size()) {
        for (std::size_t vertex = 0; vertex < num_vertices(graph); ++vertex) {
            for (const std::int32_t coordinate : graph[vertex].coordinates) {
                coordinates_.push_back(static_cast<std::uint16_t>(coordinate));
            }
        }
    }

    [[nodiscard]] std::size_t dimensions() const { return dimensions_; }
    /// One for each dimension.
    [[nodiscard]] const std::uint16_t* of(std::size_t router) const {
        return &coordinates_[router * dimensions_];
    }

  private:
    std::size_t dimensions_;
    std::vector<std::uint16_t> coordinates_;
};

}  // namespace weir::network
