#pragma once

#include "experiments/models/catalogue/model.h"

namespace weir::experiments::models {

/// LogP's models of the FFT and of LU decomposition, with PRAM and BSP beside them.
[[nodiscard]] Models logp_algorithm_models();

}  // namespace weir::experiments::models
