#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "experiments/models/model_error.h"

/// Solution of LoPC's equations without closed form: a fixed-point iteration that substitutes the
/// equations into each other.
namespace weir::experiments::models {

/// Largest relative change of a time at which the iteration counts as converged.
constexpr double kLopcSettled = 1e-12;

/// Shortest round trip, in cycles: below it the throughput has no meaning.
constexpr double kLopcShortestRoundTrip = 1e-9;

/// Limit of substitutions; ten to forty are usual. Handlers that vary very much (C_o^2 of 100) make
/// times oscillate around the solution, so later substitutions change them by a part only.
constexpr int kLopcMostSubstitutions = 10000;

constexpr double lopc_part_of_the_way(int substitution) {
    if (substitution <= 100) {
        return 1.0;
    }
    return substitution <= 1000 ? 0.5 : 0.1;
}

/// Moves a time by `part` of its distance to the target. Returns the distance relative to the time.
inline double lopc_move(double& cycles, double target, double part) {
    const double way = std::abs(target - cycles) / std::max(target, kLopcShortestRoundTrip);
    cycles += part * (target - cycles);
    return way;
}

/// Limit of a node's utilization during the iteration. In the solution, a node always has time left
/// for its thread.
constexpr double kLopcMostUtilization = 1.0 - 1e-12;

/// Calls iteration.substitute(part), which returns the largest relative change, until it converges.
/// Returns the number of calls. Throws ModelError if the times do not converge.
template <typename Iteration>
int lopc_settle(Iteration& iteration, std::string_view equations) {
    for (int count = 1; count <= kLopcMostSubstitutions; ++count) {
        if (iteration.substitute(lopc_part_of_the_way(count)) <= kLopcSettled) {
            return count;
        }
    }
    throw ModelError(std::string(equations) + " did not converge in " +
                     std::to_string(kLopcMostSubstitutions) +
                     " substitutions; accepted: fewer visits (V) or work that differs less");
}

}  // namespace weir::experiments::models
