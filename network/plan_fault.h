#pragma once

#include "hw/refusal.h"

namespace weir::network {

/// The parameters name a network that can't be made. The key is "network.graph_file".
class PlanFault : public hw::Refusal {
  public:
    using Refusal::Refusal;
};

}  // namespace weir::network
