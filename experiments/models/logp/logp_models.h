#pragma once

#include "experiments/models/catalogue/model.h"

namespace weir::experiments::models {

/// The models of LogP, Culler et al. (1993), that can be asked by name.
[[nodiscard]] Models logp_models();

}  // namespace weir::experiments::models
