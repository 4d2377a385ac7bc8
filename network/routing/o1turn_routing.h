#pragma once

#include <memory>

#include "network/routing/routing.h"
#include "network/routing/routing_kind.h"

namespace weir::network {

/// O1TURN on a mesh of two dimensions (Seo et al. 2005; xy_yx in BookSim 2): dimension order, x or
/// y first by the message's lot. With two virtual channels the
/// messages that go along x first use the first one, all others the second. With one virtual
/// channel the routing can deadlock.
[[nodiscard]] std::unique_ptr<Routing> o1turn_routing(const Topology& mesh,
                                                      int virtual_channels = 2);

[[nodiscard]] const RoutingKind& o1turn_routing_kind();

}  // namespace weir::network
