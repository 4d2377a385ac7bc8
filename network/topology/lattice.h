#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "network/topology/topology_family.h"

/// What meshes, tori and hypercubes have in common: a router a node, and each router at a place of
/// a grid.
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

[[nodiscard]] const TopologyFamily& mesh_family();
[[nodiscard]] const TopologyFamily& torus_family();
[[nodiscard]] const TopologyFamily& hypercube_family();

/// The first half of the nodes, ordered by the coordinate of the longest dimension, then by that of
/// the next longest, and so on; of the routers alone.
[[nodiscard]] StandardCut central_cut(const std::vector<std::int32_t>& extents, bool end_around,
                                      const TopologyGraph& graph);

/// Of as many nodes in each dimension, where a node's mean distance in each is its extent / parts;
/// nothing of other extents.
[[nodiscard]] std::optional<DistanceFormula> cube_formula(const std::vector<std::int32_t>& extents,
                                                          std::size_t parts);

/// A grid: the third dimension repeats it to the right, the fourth downwards, and so on; channels
/// that skip routers are bent. `name_of`: of a dimension, in the legend.
[[nodiscard]] Layout grid_layout(const Topology& topology,
                                 const std::function<std::string(std::size_t)>& name_of);
/// "x", "y", "z", "d3", ...
[[nodiscard]] std::string axis_name(std::size_t dimension);

}  // namespace weir::network
