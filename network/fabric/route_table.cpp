#include "network/fabric/route_table.h"

#include <algorithm>

namespace weir::network {

RouteTable::RouteTable(std::shared_ptr<const LatticePlaces> places, const Mesh& mesh,
                       hw::NodeId node)
    : places_(std::move(places)),
      extent_(static_cast<std::uint32_t>(
          *std::max_element(mesh.extents().begin(), mesh.extents().end()))),
      last_port_(static_cast<std::uint8_t>(mesh.node_port())) {
    ports_.resize(mesh.extents().size() * extent_, kLevel);
    for (std::size_t d = 0; d < mesh.extents().size(); ++d) {
        const std::uint32_t here = places_->of(node.index())[d];
        for (std::uint32_t there = 0; there < extent_; ++there) {
            if (there != here) {
                ports_[d * extent_ + there] =
                    static_cast<std::uint8_t>(lattice_port(d, there > here));
            }
        }
    }
}

RouteTable::RouteTable(std::initializer_list<std::uint8_t> ports)
    : ports_(ports), extent_(static_cast<std::uint32_t>(ports.size())) {
    places_ = std::make_shared<const LatticePlaces>(
        Mesh({static_cast<std::int32_t>(ports.size())}).graph());
}

}  // namespace weir::network
