#pragma once

#include "experiments/models/catalogue/model.h"

namespace weir::experiments::models {

/// Textbook queues that can be asked by name: md1-all-to-any.
[[nodiscard]] Models queueing_models();

}  // namespace weir::experiments::models
