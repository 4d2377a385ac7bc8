#pragma once

#include <memory>

#include "network/routing/routing.h"
#include "network/routing/routing_kind.h"

/// Routing in two phases: a message goes first to a random node, which its lot names, and then to
/// its destination. This spreads traffic that would load some channels more than others. Both
/// phases have the topology's own routing, and virtual channels of their own. So a message in the
/// first phase may wait for one in the second, but never the other way round.
namespace weir::network {

/// Valiant's routing (Valiant and Brebner 1981): the random node is any node. `phase` is the
/// routing of both phases; nodes must inject into and receive from the same router.
[[nodiscard]] std::unique_ptr<Routing> valiant_routing(std::shared_ptr<const Routing> phase);

/// ROMM in two phases (Nesson and Johnsson 1995), on a mesh. The random node is in the box with the
/// source and the destination at its corners, so that all routes are minimal.
[[nodiscard]] std::unique_ptr<Routing> romm_routing(std::shared_ptr<const Routing> phase);

[[nodiscard]] const RoutingKind& valiant_routing_kind();
[[nodiscard]] const RoutingKind& romm_routing_kind();

}  // namespace weir::network
