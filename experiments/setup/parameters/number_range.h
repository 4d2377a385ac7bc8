#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace weir::experiments::setup {

/// Numbers from `start` to `stop`, both included where a step ends there: each `step` more than the
/// one before, or `step` times it.
struct NumberRange {
    double start = 0.0;
    double stop = 0.0;
    double step = 1.0;
    bool by_factor = false;

    /// How many steps there are; nothing where they do not lead from start to stop.
    [[nodiscard]] std::optional<double> steps() const;
    /// Without the last bits that arithmetic puts wrong: 0.3, not 0.30000000000000004.
    [[nodiscard]] std::vector<double> values() const;
};

/// `count` numbers, 2 or more, from start to stop: with equal steps or, logarithmically, with equal
/// factors, where both must be above 0.
[[nodiscard]] std::vector<double> evenly_spaced(double start, double stop, std::size_t count,
                                                bool logarithmic);

}  // namespace weir::experiments::setup
