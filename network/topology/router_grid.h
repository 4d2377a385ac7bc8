#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "network/topology/topology_family.h"

/// Routers in a grid with several nodes each: concentrated meshes, flattened butterflies and
/// HyperX.
namespace weir::network {

struct RouterGridShape {
    std::int32_t terminals = 1;         ///< nodes per router
    std::vector<std::int32_t> extents;  ///< routers in each dimension
    /// True if each router has a channel to all routers that differ from it in one coordinate. A
    /// mesh has channels to the next ones only.
    bool is_fully_connected = false;
};

/// Node i is terminal i mod p of router i / p, with p terminals per router. Router i has the
/// coordinates of i written in the mixed radix of the extents, the first dimension changing
/// fastest.
///
/// A router has these ports:
/// - 0 to p - 1: its nodes.
/// - Then those of the first dimension, of the second, and so on. In a mesh a dimension has a port
///   up ("+x"), then one down ("-x"). Otherwise it has a port for each other router of the row, in
///   ascending order ("x 3" leads to coordinate 3 of dimension x).
///
/// A hop is a channel, those of the nodes included, since a router has several nodes.

/// Concentrated mesh (Balfour and Dally 2006), without express channels.
[[nodiscard]] Topology concentrated_mesh_topology(std::int32_t terminals,
                                                  const std::vector<std::int32_t>& extents);
[[nodiscard]] const TopologyFamily& concentrated_mesh_family();

/// Flattened butterfly (Kim, Dally and Abts 2007): a k-ary n-flat has n - 1 equal extents k and k
/// nodes per router. Other numbers of nodes per router are accepted.
[[nodiscard]] Topology flattened_butterfly_topology(std::int32_t terminals,
                                                    const std::vector<std::int32_t>& extents);
[[nodiscard]] const TopologyFamily& flattened_butterfly_family();

/// HyperX (Ahn, Binkert, Davis, McLaren and Schreiber 2009) with one channel between two routers of
/// a row: as a flattened butterfly, with any extents.
[[nodiscard]] Topology hyperx_topology(std::int32_t terminals,
                                       const std::vector<std::int32_t>& extents);
[[nodiscard]] const TopologyFamily& hyperx_family();

/// Dimension order, first dimension first: the routing of all three. In a fully connected row it
/// takes one hop, so that all routes are minimal, with one virtual channel.
[[nodiscard]] std::unique_ptr<Routing> router_grid_routing(const Topology& grid);

}  // namespace weir::network
