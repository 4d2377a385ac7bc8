#pragma once

#include <cstdint>
#include <vector>

#include "network/topology/topology.h"

/// Meshes, tori and hypercubes: a router a node, and each router at a place of a grid.
///
/// A hop is a channel between routers (LogP Section 5.1: 2/3 sqrt(P) for a square mesh); the ways
/// from a node into its router and back are no hops.
namespace weir::network {

/// Appends the routers of a mesh, or of a torus when `end_around`, to an empty graph. Router i has
/// the coordinates of i written in the mixed radix of `extents`, the first dimension (x) changing
/// fastest. Port 2d leads to the next higher coordinate of dimension d, 2d+1 to the next lower;
/// around the end too, so that a torus has two channels each way between neighbours in a dimension
/// of two. A dimension of one has no channels.
void add_lattice_routers(const std::vector<std::int32_t>& extents, bool end_around,
                         TopologyGraph& graph);

/// Each extent at least 1. The last port, 2 x dimensions, is the node's.
[[nodiscard]] Topology mesh_topology(const std::vector<std::int32_t>& extents);
[[nodiscard]] Topology torus_topology(const std::vector<std::int32_t>& extents);

/// 2^dimensions nodes; routers whose numbers differ in one bit are neighbours. Port d, direction
/// "bit d", flips bit d; the last port is the node's. coordinates[d] is bit d.
[[nodiscard]] Topology hypercube_topology(int dimensions);

}  // namespace weir::network
