#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/units.h"
#include "network/topology/topology.h"

namespace weir::network {

/// A mesh of any number of dimensions without end-around channels; neighbours have two physical
/// channels (LoGPC Section 2). Node and router i have the coordinates of i written in the mixed
/// radix of `extents`, the first dimension (x) changing fastest. Port 2d leads to the next higher
/// coordinate of dimension d, port 2d+1 to the next lower one, and the last port to the node. The
/// graph has routers only; that of mesh_topology() has the nodes, too.
class Mesh {
  public:
    explicit Mesh(std::vector<std::int32_t> extents);

    [[nodiscard]] const TopologyGraph& graph() const { return graph_; }
    [[nodiscard]] std::int32_t node_count() const;
    [[nodiscard]] int port_count() const { return 2 * static_cast<int>(extents_.size()) + 1; }
    [[nodiscard]] int node_port() const { return port_count() - 1; }
    [[nodiscard]] const std::vector<std::int32_t>& extents() const { return extents_; }

    /// Names of the channels, for example "(7,0) +x", in the order of channels_of(graph()).
    [[nodiscard]] std::vector<std::string> channel_names() const;

    /// Dimension-order routing, lowest dimension first: the output port of the router at `node`
    /// towards each node.
    [[nodiscard]] std::vector<std::uint8_t> dimension_order_routes(hw::NodeId node) const;

    /// Channels between routers on a shortest path: the sum of the coordinates' differences.
    [[nodiscard]] std::int32_t distance(hw::NodeId source, hw::NodeId destination) const;
    /// Distances of all pairs, by breadth-first search from each router; element
    /// [source][destination].
    [[nodiscard]] std::vector<std::vector<std::int32_t>> distances() const;

  private:
    std::vector<std::int32_t> extents_;
    TopologyGraph graph_;
};

}  // namespace weir::network
