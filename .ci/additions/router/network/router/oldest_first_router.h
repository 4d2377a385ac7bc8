#pragma once

#include "network/router/router.h"

namespace weir::network {

/// Output-queued router that serves the message that entered the network first. Overrides the
/// configured arbitration.
[[nodiscard]] const RouterKind& oldest_first_router_kind();

}  // namespace weir::network
