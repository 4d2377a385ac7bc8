#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::kinds {

/// Points of open-loop traffic that differ in traffic.load alone, from the lowest load on.
struct LoadCurve {
    std::string what;  ///< where it differs from the other curves; empty when it is the only one
    std::vector<const records::PointResult*> points;
    /// The highest accepted load of its points, in flits a node and cycle. A bound from below when
    /// none of them is saturated.
    double saturation_throughput = 0.0;
    bool is_saturated = false;                ///< some point is
    double highest_load_not_saturated = 0.0;  ///< as the file has it; 0 when all are
};

/// The curves of an experiment's points; none unless it is of open-loop traffic, and none of
/// packets one at a time. The points stay the result's.
[[nodiscard]] std::vector<LoadCurve> load_curves(const records::ExperimentResult& result);

/// The load that the file asks for at a point of open-loop traffic; of packets from a trace, the
/// mean load that was offered.
[[nodiscard]] double load_of(const records::PointResult& point);
/// Whether a run of some seed was saturated.
[[nodiscard]] bool is_saturated(const records::PointResult& point);

/// Each load curve with its percentiles, its saturation and models beside it. Nothing of other
/// kinds.
[[nodiscard]] std::optional<records::Section> load_curves_section(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::kinds
