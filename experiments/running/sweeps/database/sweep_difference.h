#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/statistics/sample.h"

namespace weir::experiments::running {

using statistics::Sample;
using statistics::welch_half_width;

/// A point that both databases have, and whose results differ.
struct ChangedPoint {
    std::string description;
    std::size_t number = 0;  ///< in the first database; 0: it is no longer in its file
    std::string metric;
    Sample before;
    Sample after;
    /// Of after - before; none where a point has a single seed: then the change is exact.
    std::optional<double> half_width;
    std::string before_status;  ///< "ok", or how its first other run ended
    std::string after_status;

    [[nodiscard]] double difference() const { return after.mean() - before.mean(); }
    /// Whether it is more than chance: the interval leaves out 0, or there is none and the metric
    /// has changed, or a run ended otherwise.
    [[nodiscard]] bool is_significant() const;
};

/// What has changed from one database to another, point by point. Points go together that have the
/// same label and the same values of the axes: what else of their configurations differs is told.
struct SweepDifference {
    std::size_t compared = 0;
    std::size_t only_before = 0;
    std::size_t only_after = 0;
    /// Parameters, other than swept ones, that differ: key, value before, value after.
    struct Parameter {
        std::string key;
        std::string before;
        std::string after;
    };
    std::vector<Parameter> parameters;
    std::vector<ChangedPoint> changed;
};

/// `metric` is what is compared of changed points; each kernel's main one when it is empty. Throws
/// setup::UserFault when the axes are not the same, or neither has the metric.
[[nodiscard]] SweepDifference difference_of(const SweepDatabase& before, const SweepDatabase& after,
                                            const std::string& metric);

}  // namespace weir::experiments::running
