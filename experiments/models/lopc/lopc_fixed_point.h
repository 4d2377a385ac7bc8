#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "experiments/models/model_error.h"

/// How LoPC's equations are solved where they have no closed form: they are put into each other
/// until nothing changes any more.
namespace weir::experiments::models {

/// The equations have settled when they ask for no larger change of a time than this, as a share of
/// it.
constexpr double kLopcSettled = 1e-12;

/// In cycles: below it a turn's throughput has no meaning, and at 0 no value.
constexpr double kLopcShortestTurn = 1e-9;

/// Ten to forty substitutions are usual. Handlers that vary very much (C_o^2 of 100) make times
/// swing about the solution: what hasn't settled goes a part of the way only.
constexpr int kLopcMostSubstitutions = 10000;

constexpr double lopc_part_of_the_way(int substitution) {
    if (substitution <= 100) {
        return 1.0;
    }
    return substitution <= 1000 ? 0.5 : 0.1;
}

/// Moves a time that part of the way; how far the way is, as a share of the time.
inline double lopc_move(double& cycles, double target, double part) {
    const double way = std::abs(target - cycles) / std::max(target, kLopcShortestTurn);
    cycles += part * (target - cycles);
    return way;
}

/// A node's utilization while the equations have not settled; once they have, a node always has
/// time left for its thread.
constexpr double kLopcMostUtilization = 1.0 - 1e-12;

/// Calls iteration.substitute(part), which says how far it was from settled, until it is; how often
/// that was. ModelError if it never is.
template <typename Iteration>
int lopc_settle(Iteration& iteration, std::string_view equations) {
    for (int count = 1; count <= kLopcMostSubstitutions; ++count) {
        if (iteration.substitute(lopc_part_of_the_way(count)) <= kLopcSettled) {
            return count;
        }
    }
    throw ModelError(std::string(equations) + " did not settle in " +
                     std::to_string(kLopcMostSubstitutions) +
                     " substitutions; accepted: fewer visits (V) or work that differs less");
}

}  // namespace weir::experiments::models
