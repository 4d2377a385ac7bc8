#pragma once

#include "experiments/models/catalogue/model.h"

namespace weir::experiments::models {

/// LogP's models of broadcast and summation, with PRAM and BSP beside them, and BSP's superstep.
[[nodiscard]] Models logp_collective_models();

}  // namespace weir::experiments::models
