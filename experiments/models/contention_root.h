#pragma once

#include <functional>

namespace weir::experiments::models {

/// The contention c that a turn of (contention-free time + c) causes; in cycles, to 2^-47 of
/// itself. `contention_at` says what a turn of so many cycles causes, which falls as the turn
/// grows.
double solve_for_contention(double contention_free_cycles,
                            const std::function<double(double turn_cycles)>& contention_at);

}  // namespace weir::experiments::models
