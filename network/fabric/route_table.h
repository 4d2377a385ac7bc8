#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "hw/units.h"
#include "network/topology/lattice_places.h"
#include "network/topology/mesh.h"

namespace weir::network {

/// A router's output port towards each node. In dimension order it is a small table a dimension, of
/// which the first that does not say "level" counts: a byte for each coordinate, where a table over
/// all nodes would fill the host's caches on a large mesh (16 MB on 64 x 64).
class RouteTable {
  public:
    /// Of the router at `node`, lowest dimension first; `places` are the mesh's.
    RouteTable(std::shared_ptr<const LatticePlaces> places, const Mesh& mesh, hw::NodeId node);
    /// The port towards node 0, 1, ...
    RouteTable(std::initializer_list<std::uint8_t> ports);

    [[nodiscard]] std::uint8_t operator[](std::size_t destination) const {
        const std::size_t dimensions = places_->dimensions();
        const std::uint16_t* place = places_->of(destination);
        const std::uint8_t* table = ports_.data();
        for (std::size_t d = 0; d < dimensions; ++d) {
            const std::uint8_t port = table[place[d]];
            if (port != kLevel) {
                return port;
            }
            table += extent_;
        }
        return last_port_;
    }

  private:
    static constexpr std::uint8_t kLevel = 0xff;

    std::shared_ptr<const LatticePlaces> places_;
    std::vector<std::uint8_t> ports_;  // dimension by dimension, each of `extent_` coordinates
    std::uint32_t extent_ = 0;         // the longest
    std::uint8_t last_port_ = 0;
};

}  // namespace weir::network
