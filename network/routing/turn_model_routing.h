#pragma once

#include <memory>

#include "network/routing/routing.h"
#include "network/routing/routing_kind.h"

/// Turn models: minimal adaptive routing on a mesh of two dimensions, without escape channels. A
/// message may take each direction that leads nearer to its destination, except for turns that a
/// rule forbids. The remaining turns form no cycle, so one virtual channel is enough. West is -x,
/// north is -y: node 0 is in the north-west corner, as in Noxim. Columns are numbered from 0.
namespace weir::network {

/// West first (Glass and Ni 1992): hops to the west come before all others.
[[nodiscard]] std::unique_ptr<Routing> west_first_routing(const Topology& mesh);
/// North last (Glass and Ni 1992): hops to the north come after all others.
[[nodiscard]] std::unique_ptr<Routing> north_last_routing(const Topology& mesh);
/// Negative first (Glass and Ni 1992): hops to the west and north, in any order, come before hops
/// to the east and south. Noxim's rule of this name differs: messages to the north-east and to the
/// south-west choose, and all others go along x first. Its turns can form a cycle.
[[nodiscard]] std::unique_ptr<Routing> negative_first_routing(const Topology& mesh);
/// Odd-even (Chiu 2000): no turns from east to north or south in even columns, and none from north
/// or south to west in odd columns. A message to the east has turned in an even column only if it
/// was sent there, which the input port shows.
[[nodiscard]] std::unique_ptr<Routing> odd_even_routing(const Topology& mesh);

/// Fault of a network that is no mesh of two dimensions, for the named routing.
[[nodiscard]] std::optional<hw::Fault> fault_unless_two_dimensions(
    const NetworkParameters& parameters);

[[nodiscard]] const RoutingKind& west_first_routing_kind();
[[nodiscard]] const RoutingKind& north_last_routing_kind();
[[nodiscard]] const RoutingKind& negative_first_routing_kind();
[[nodiscard]] const RoutingKind& odd_even_routing_kind();

}  // namespace weir::network
