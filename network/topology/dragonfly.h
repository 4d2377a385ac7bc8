#pragma once

#include <cstdint>

#include "network/topology/topology_family.h"

namespace weir::network {

/// The dragonfly of Kim, Dally, Scott and Abts (2008): groups of routers, all routers of a group
/// joined to one another, and any two groups by one channel each way.
struct DragonflyShape {
    std::int32_t terminals = 1;      ///< nodes of a router (p)
    std::int32_t routers = 2;        ///< of a group (a)
    std::int32_t groups = 2;         ///< g
    std::int32_t global_cycles = 0;  ///< of a global channel's link; 0: as all others

    /// Global channels of a router (h): as few as give its group one to each other.
    [[nodiscard]] std::int32_t global_channels() const { return (groups + routers - 2) / routers; }
};

/// Node i is terminal i mod p of router i / p, which is router i / p mod a of its group. Router r
/// of a group has the ports 0 to p - 1 to its nodes, p + k ("local k") to router k of the group,
/// with the own one left out and those behind it moved up, and then h global ones: channel c of a
/// group is at port c mod h of its router c / h ("global c"), and leads to group c, or c + 1 from
/// the own number on. With g = a h + 1 all global ports are in use; a = 2p = 2h is the balanced
/// one.
///
/// A hop is a channel, those of the nodes too, as several hang on a router.
///
/// `shape` has at least 1 terminal, 1 router and 2 groups.
[[nodiscard]] Topology dragonfly_topology(const DragonflyShape& shape);
[[nodiscard]] const TopologyFamily& dragonfly_family();

/// The shortest way with at most one global channel: to the router of the own group that has it,
/// over it, and to the destination's router. A message is on virtual channel 0 while a global
/// channel is in front of it, and on 1 in its destination's group: what keeps a group's local
/// channels before a global one from waiting for those behind (Kim et al., Section 4.1). With one
/// virtual channel the routing can deadlock.
[[nodiscard]] std::unique_ptr<Routing> dragonfly_minimal_routing(const Topology& dragonfly,
                                                                 int virtual_channels = 2);

}  // namespace weir::network
