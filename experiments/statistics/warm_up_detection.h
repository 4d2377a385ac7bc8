#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace weir::experiments::statistics {

/// MSER-5: how many observations in front are to be left out, so that the mean of the others is
/// nearest to that of the steady state. The series is averaged in groups of five; of all cuts
/// between groups, that which gives the least standard error of the mean of what is behind it (the
/// sum of squares over the square of how many there are) is best: to cut away a start that is
/// unlike the rest lowers it, to cut away what is like the rest raises it. Nothing where the best
/// cut lies in the second half: the series is too short to say that it became steady.
/// White, "An effective truncation heuristic for bias reduction in simulation output", Simulation
/// 69, 1997; groups of five: White, Cobb and Spratt, "A comparison of five steady-state truncation
/// heuristics for simulation", Winter Simulation Conference 2000.
std::optional<std::size_t> warm_up_observations(std::span<const double> series);

}  // namespace weir::experiments::statistics
