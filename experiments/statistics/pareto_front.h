#pragma once

#include <cstddef>
#include <vector>

namespace weir::experiments::statistics {

/// What is to be small of a candidate.
struct Tradeoff {
    double cost = 0.0;
    double loss = 0.0;
};

/// The candidates that none beats, by their index, the cheapest first: no other costs at most as
/// much and loses less, or costs less and loses at most as much. Of equal ones the first.
[[nodiscard]] std::vector<std::size_t> pareto_front(const std::vector<Tradeoff>& candidates);

}  // namespace weir::experiments::statistics
