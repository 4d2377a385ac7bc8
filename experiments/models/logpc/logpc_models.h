#pragma once

#include "experiments/models/catalogue/model.h"

namespace weir::experiments::models {

/// The models of LoGPC and LogGP, Moritz and Frank (2001), that can be asked by name.
[[nodiscard]] Models logpc_models();

}  // namespace weir::experiments::models
