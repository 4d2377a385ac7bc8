#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/topology/topology.h"

namespace weir::network {

/// Ports of a lattice's router: up and down in the first dimension, then in the next ones. The
/// node's port is the last.
[[nodiscard]] constexpr std::size_t lattice_port(std::size_t dimension, bool up) {
    return 2 * dimension + (up ? 0 : 1);
}
[[nodiscard]] constexpr std::size_t dimension_of(std::size_t port) { return port / 2; }

/// Coordinates of a lattice's routers, read for each header. They are in one compact array, so
/// that even a large network takes few cache lines of the host.
class LatticePlaces {
  public:
    /// The routers must be the graph's first vertices. Nodes after them have no coordinates.
    explicit LatticePlaces(const TopologyGraph& graph) : dimensions_(graph[0].coordinates.size()) {
        for (std::size_t vertex = 0; vertex < num_vertices(graph); ++vertex) {
            for (const std::int32_t coordinate : graph[vertex].coordinates) {
                coordinates_.push_back(static_cast<std::uint16_t>(coordinate));
            }
        }
    }

    [[nodiscard]] std::size_t dimensions() const { return dimensions_; }
    /// Coordinates of the router, one for each dimension.
    [[nodiscard]] const std::uint16_t* of(std::size_t router) const {
        return &coordinates_[router * dimensions_];
    }

  private:
    std::size_t dimensions_;
    std::vector<std::uint16_t> coordinates_;
};

}  // namespace weir::network
