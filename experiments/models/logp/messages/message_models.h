#pragma once

#include "experiments/models/catalogue/model.h"

namespace weir::experiments::models {

/// LogP's models of messages and networks: one message, a long one, the hardware's own numbers, and
/// distances.
[[nodiscard]] Models logp_message_models();

}  // namespace weir::experiments::models
