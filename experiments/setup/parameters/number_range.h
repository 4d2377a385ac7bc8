#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace weir::experiments::setup {

/// Numbers from `start` to `stop`: each is the previous one plus `step`, or times `step`. The last
/// number is stop if a step ends there.
struct NumberRange {
    double start = 0.0;
    double stop = 0.0;
    double step = 1.0;
    bool by_factor = false;

    /// Number of steps; nullopt if such steps do not lead from start to stop.
    [[nodiscard]] std::optional<double> steps() const;
    /// The numbers, without rounding errors in their last digits: 0.3, not 0.30000000000000004.
    [[nodiscard]] std::vector<double> values() const;
};

/// `count` numbers (2 or more) from start to stop, with equal steps or, if `logarithmic`, with
/// equal factors. Logarithmic ranges need start and stop above 0.
[[nodiscard]] std::vector<double> evenly_spaced(double start, double stop, std::size_t count,
                                                bool logarithmic);

}  // namespace weir::experiments::setup
