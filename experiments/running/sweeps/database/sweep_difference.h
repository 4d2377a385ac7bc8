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

/// Point in both databases whose results differ.
struct ChangedPoint {
    std::string description;
    std::size_t number = 0;  ///< number in the first database; 0: no longer in its file
    std::string metric;
    Sample before;
    Sample after;
    /// Half width of the 95 % interval of after - before; nullopt if a point has a single seed,
    /// whose change is exact.
    std::optional<double> half_width;
    std::string before_status;  ///< "ok", or the status of its first run that did not end well
    std::string after_status;

    [[nodiscard]] double difference() const { return after.mean() - before.mean(); }
    /// True if the change is significant: the interval excludes 0, or the metric has changed
    /// exactly, or a status differs.
    [[nodiscard]] bool is_significant() const;
};

/// Changes from one database to another, by point. Points correspond if they have the same label
/// and the same values of the axes. Other differences of their configurations are listed.
struct SweepDifference {
    std::size_t compared = 0;
    std::size_t only_before = 0;
    std::size_t only_after = 0;
    /// Differing parameter that no axis sets: key, value before, value after.
    struct Parameter {
        std::string key;
        std::string before;
        std::string after;
    };
    std::vector<Parameter> parameters;
    std::vector<ChangedPoint> changed;
};

/// Compares two databases. `metric` is compared for changed points; if it is empty, each kernel's
/// main metric. Throws setup::UserFault if the axes differ, or if neither database has the metric.
[[nodiscard]] SweepDifference difference_of(const SweepDatabase& before, const SweepDatabase& after,
                                            const std::string& metric);

/// A row for each point that has changed; below the table how many were compared.
[[nodiscard]] std::string difference_page(const SweepDifference& difference,
                                          const SweepDatabase& before, const SweepDatabase& after);

}  // namespace weir::experiments::running
