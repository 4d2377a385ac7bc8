#pragma once

#include "experiments/models/logpc/logpc_network.h"

namespace weir::experiments::models {

// LoGPC (2001), section 3.3: Alewife's mesh of 4 x 8 nodes, with k_d by (11).
constexpr double kAlewifeDistance = 3.875 / 2.0;

inline LogpcNetworkInputs alewife_with(double message_bytes) {
    return {2, kAlewifeDistance, message_bytes};
}

}  // namespace weir::experiments::models
