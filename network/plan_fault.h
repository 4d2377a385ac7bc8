#pragma once

#include "hw/refusal.h"

namespace weir::network {

/// Parameters of a network that can't be built. The key is for example "network.graph_file".
class PlanFault : public hw::Refusal {
  public:
    using Refusal::Refusal;
};

}  // namespace weir::network
