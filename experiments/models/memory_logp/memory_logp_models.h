#pragma once

#include "experiments/models/catalogue/model.h"

namespace weir::experiments::models {

/// The models of Memory logP, Cameron and Sun (2003), that can be asked by name.
[[nodiscard]] Models memory_logp_models();

}  // namespace weir::experiments::models
