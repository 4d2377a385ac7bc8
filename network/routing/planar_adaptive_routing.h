#pragma once

#include <memory>

#include "network/routing/routing.h"
#include "network/routing/routing_kind.h"

namespace weir::network {

/// Planar-adaptive routing on a mesh (Chien and Kim 1992): minimal, and adaptive in one plane of
/// two dimensions after the other, without escape channels. In plane i a message may take hops in
/// dimensions i and i + 1, until none is left in dimension i. The virtual channels of a channel are
/// - 0 and 1: for hops in the second dimension of a plane, by messages that go up, or down, in the
///   plane's first dimension;
/// - 2: for hops in the first dimension of a plane, and in the last dimension when it is the only
///   one left.
/// So messages that go up and messages that go down wait for different channels. Each waits only
/// for channels ahead of it in the plane's first dimension.
[[nodiscard]] std::unique_ptr<Routing> planar_adaptive_routing(const Topology& mesh);

[[nodiscard]] const RoutingKind& planar_adaptive_routing_kind();

}  // namespace weir::network
