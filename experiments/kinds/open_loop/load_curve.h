#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::kinds {

/// Points of open-loop traffic that differ only in traffic.load, from the lowest load to the
/// highest.
struct LoadCurve {
    /// Settings that distinguish the curve from others; empty for a single curve.
    std::string what;
    std::vector<const records::PointResult*> points;
    /// Highest accepted load of the curve's points, in flits per node and cycle. If no point is
    /// saturated, this is a lower bound of the saturation throughput.
    double saturation_throughput = 0.0;
    bool is_saturated = false;  ///< whether any point is saturated
    double highest_load_not_saturated =
        0.0;  ///< highest offered load whose point is not saturated; 0 if all are
};

/// Curves of an experiment's points, which the result still owns. Empty for other kinds, and for
/// packets one at a time.
[[nodiscard]] std::vector<LoadCurve> load_curves(const records::ExperimentResult& result);

/// Offered load that the file gives a point of open-loop traffic; for packets from a trace, the
/// mean offered load.
[[nodiscard]] double load_of(const records::PointResult& point);
/// Whether the run of any seed was saturated.
[[nodiscard]] bool is_saturated(const records::PointResult& point);

/// Section with each load curve, its percentiles, its saturation and models. The section is absent
/// for other kinds.
[[nodiscard]] std::optional<records::Section> load_curves_section(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::kinds
