#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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

/// Positions of a dragonfly's nodes and routers, and its routers' ports.
class DragonflyPlaces {
  public:
    struct Place {
        std::int32_t group = 0;
        std::int32_t router = 0;    ///< number of the router in its group
        std::int32_t terminal = 0;  ///< number of the node at its router
    };

    explicit DragonflyPlaces(const Topology& dragonfly);

    [[nodiscard]] const DragonflyShape& shape() const { return shape_; }
    [[nodiscard]] const Place& of_node(std::size_t node) const { return places_[node]; }
    /// Position of the router's first node.
    [[nodiscard]] const Place& of_router(std::size_t vertex) const {
        return places_[vertex * shape_.terminals];
    }
    /// Router of a group that has the global channel to another group.
    [[nodiscard]] std::int32_t gateway(std::int32_t group, std::int32_t other) const;
    /// Port of a router on the way to a node of its own group: to the node, or to its router.
    [[nodiscard]] int port_to_node(const Place& router, const Place& node) const;
    /// Port of a router on the way to another group: the global channel, or the channel to the
    /// gateway.
    [[nodiscard]] int port_to_group(const Place& router, std::int32_t group) const;
    /// True for a port whose channel leads to another group.
    [[nodiscard]] bool is_global(int port) const {
        return port >= shape_.terminals + shape_.routers - 1;
    }

  private:
    DragonflyShape shape_;
    std::vector<Place> places_;  // position of each node
};

/// Minimal routing with at most one global channel: to the router of the group that has it, over
/// it, and to the destination's router. A message uses virtual channel 0 before its global channel,
/// and 1 in its destination's group. So local channels before a global one never wait for local
/// channels after it (Kim et al., Section 4.1). With one virtual channel the routing can deadlock.
[[nodiscard]] std::unique_ptr<Routing> dragonfly_minimal_routing(const Topology& dragonfly,
                                                                 int virtual_channels = 2);

}  // namespace weir::network
