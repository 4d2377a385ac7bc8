#pragma once

#include <cstdint>

#include "network/topology/topology_family.h"

namespace weir::network {

/// The dragonfly of Kim, Dally, Scott and Abts (2008): groups of routers. All routers of a group
/// are connected to one another. Any two groups are connected by one channel in each direction.
struct DragonflyShape {
    std::int32_t terminals = 1;      ///< nodes per router (p)
    std::int32_t routers = 2;        ///< routers per group (a)
    std::int32_t groups = 2;         ///< g
    std::int32_t global_cycles = 0;  ///< link cycles of a global channel; 0: as other channels

    /// Global channels per router (h): the fewest that connect each group to all others.
    [[nodiscard]] std::int32_t global_channels() const { return (groups + routers - 2) / routers; }
};

/// Node i is terminal i mod p of router i / p, which is router i / p mod a of its group.
///
/// Router r of a group has these ports:
/// - 0 to p - 1: its nodes.
/// - From p on: the other routers of the group in ascending order ("local k" leads to router k).
/// - Then h global channels. Channel c of a group is at port c mod h of router c / h ("global c").
///   It leads to group c, or to c + 1 from the group's own number on.
///
/// With g = a h + 1 all global ports are in use. A dragonfly with a = 2p = 2h is balanced.
///
/// A hop is a channel, those of the nodes included, since a router has several nodes.
///
/// Requires a `shape` with at least 1 terminal, 1 router and 2 groups.
[[nodiscard]] Topology dragonfly_topology(const DragonflyShape& shape);
[[nodiscard]] const TopologyFamily& dragonfly_family();

/// Minimal routing with at most one global channel: to the router of the group that has it, over
/// it, and to the destination's router. A message uses virtual channel 0 before its global channel,
/// and 1 in its destination's group. So local channels before a global one never wait for local
/// channels after it (Kim et al., Section 4.1). With one virtual channel the routing can deadlock.
[[nodiscard]] std::unique_ptr<Routing> dragonfly_minimal_routing(const Topology& dragonfly,
                                                                 int virtual_channels = 2);

}  // namespace weir::network
