#pragma once

#include "experiments/models/catalogue/model.h"

namespace weir::experiments::models {

/// Every model of the papers, in the order they are listed.
[[nodiscard]] Models all_models();

}  // namespace weir::experiments::models
