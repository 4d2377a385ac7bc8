#pragma once

#include <cstdint>
#include <memory>

#include "network/routing/routing.h"
#include "network/routing/routing_kind.h"

namespace weir::network {

/// Universal globally adaptive load-balanced routing (UGAL; Singh 2005) with local information,
/// on a dragonfly (UGAL-L; Kim, Dally, Scott and Abts 2008, Section 4). A message takes the minimal
/// route, or goes by a random group, which its lot names (Valiant and Brebner 1981). Its first
/// router chooses when the header is routed there: the route whose queue times hops is smaller, and
/// the minimal one between equals (RouteChoice). Messages within a group take the minimal route.
///
/// The queue of a route is the flits at its first output port for which no credit has returned, on
/// all virtual channels. A router with output queues adds the flits in these.
///
/// The lot of a minimal route is the number of the source's group. The virtual channel is the phase
/// of the route: 0 to the random group, 1 to the destination's group, 2 in the
/// latter. A minimal route begins in the second phase. So a message waits only for channels of
/// its own phase that come later, or of a later phase.
///
/// `threshold_flits` is RouteChoice's.
[[nodiscard]] std::unique_ptr<Routing> ugal_routing(const Topology& dragonfly,
                                                    std::int64_t threshold_flits = 0);

[[nodiscard]] const RoutingKind& ugal_routing_kind();

}  // namespace weir::network
