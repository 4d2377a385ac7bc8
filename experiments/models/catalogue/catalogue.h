#pragma once

#include "experiments/models/catalogue/model.h"

namespace weir::experiments::models {

/// All models of the papers, in the order of `weir list models`.
[[nodiscard]] Models all_models();

}  // namespace weir::experiments::models
