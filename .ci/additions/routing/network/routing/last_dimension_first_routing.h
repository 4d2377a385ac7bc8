#pragma once

#include "network/routing/routing_kind.h"

namespace weir::network {

/// Dimension order on a mesh, last dimension first.
[[nodiscard]] const RoutingKind& last_dimension_first_routing_kind();

}  // namespace weir::network
