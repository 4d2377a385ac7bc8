#pragma once

#include <memory>

#include "experiments/models/catalogue/model.h"

namespace weir::experiments::models {

/// memory-logp-curve-fit: the paper's own prediction of l.
[[nodiscard]] std::unique_ptr<Model> memory_logp_curve_fit_model();

/// memory-logp-stack-distance: l from exact LRU hit rates, with associativity and TLB.
[[nodiscard]] std::unique_ptr<Model> memory_logp_stack_distance_model();

}  // namespace weir::experiments::models
