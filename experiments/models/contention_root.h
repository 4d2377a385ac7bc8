#pragma once

#include <functional>

namespace weir::experiments::models {

/// Solves c = contention_at(contention_free_cycles + c) for the contention c in cycles, to a
/// relative error of 2^-47. contention_at must decrease as its argument grows.
double solve_for_contention(double contention_free_cycles,
                            const std::function<double(double turn_cycles)>& contention_at);

}  // namespace weir::experiments::models
