#pragma once

#include "network/router/router.h"

namespace weir::network {

/// An output-queued router that serves the message that entered the network first, whatever the
/// arbitration.
[[nodiscard]] const RouterKind& oldest_first_router_kind();

}  // namespace weir::network
