#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "network/topology/topology_family.h"

/// Meshes, tori and hypercubes: one router per node, at the positions of a grid.
///
/// A hop is a channel between routers (LogP Section 5.1: 2/3 sqrt(P) for a square mesh). Channels
/// between a node and its router are no hops.
namespace weir::network {

/// Appends the routers of a mesh, or of a torus if `end_around`, to an empty graph. Router i has
/// the coordinates of i written in the mixed radix of `extents`, the first dimension (x) changing
/// fastest. Port 2d leads to the next higher coordinate of dimension d, port 2d+1 to the next lower
/// one. A torus has end-around channels, so that neighbours in a dimension of extent 2 have two
/// channels in each direction. A dimension of extent 1 has no channels.
void add_lattice_routers(const std::vector<std::int32_t>& extents, bool end_around,
                         TopologyGraph& graph);

/// Each extent must be at least 1. The last port, 2 x dimensions, is the node's.
[[nodiscard]] Topology mesh_topology(const std::vector<std::int32_t>& extents);
[[nodiscard]] Topology torus_topology(const std::vector<std::int32_t>& extents);

/// 2^dimensions nodes; routers whose numbers differ in one bit are neighbours. Port d, direction
/// "bit d", flips bit d; the last port is the node's. coordinates[d] of a router is bit d of its
/// number.
[[nodiscard]] Topology hypercube_topology(int dimensions);

[[nodiscard]] const TopologyFamily& mesh_family();
[[nodiscard]] const TopologyFamily& torus_family();
[[nodiscard]] const TopologyFamily& hypercube_family();
/// True for the family of meshes, to which many routings are limited (RoutingKind::Routes).
[[nodiscard]] bool is_mesh_family(const TopologyFamily& family);

/// Cut between the two halves of the nodes. They are ordered by the coordinate of the longest
/// dimension, then by that of the next longest, and so on. The graph need not have vertices for the
/// nodes.
[[nodiscard]] StandardCut central_cut(const std::vector<std::int32_t>& extents, bool end_around,
                                      const TopologyGraph& graph);

/// Formula of the mean distance, extent / parts in each dimension; nullopt if the extents differ.
[[nodiscard]] std::optional<DistanceFormula> cube_formula(const std::vector<std::int32_t>& extents,
                                                          std::size_t parts);

/// Draws a grid. The third dimension repeats the grid of the first two to the right, the fourth
/// repeats it downwards, and so on. Channels that skip routers are bent. `name_of` returns a
/// dimension's name for the legend.
[[nodiscard]] Layout grid_layout(const Topology& topology,
                                 const std::function<std::string(std::size_t)>& name_of);
/// Name of a router at these coordinates: "(3,0)".
[[nodiscard]] std::string place_name(const std::vector<std::int32_t>& coordinates);
/// Name of a dimension: "x", "y", "z", "d3", ...
[[nodiscard]] std::string axis_name(std::size_t dimension);

}  // namespace weir::network
