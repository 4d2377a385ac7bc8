#pragma once

#include "experiments/models/catalogue/model.h"

namespace weir::experiments::models {

/// The models of LoPC, Frank, Agarwal and Vernon (1997), that can be asked by name.
[[nodiscard]] Models lopc_models();

}  // namespace weir::experiments::models
