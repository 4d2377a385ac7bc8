#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "experiments/records/result.h"
#include "experiments/records/simulation_result.h"

namespace weir::experiments::records {

/// Among the particulars of a run (1) and of a point: the number of runs that were offered more
/// than they could take. These have ended well, but lack the metrics that are means over all that
/// was offered. Absent where there is none.
inline constexpr const char* kSaturatedRuns = "saturated_runs";

[[nodiscard]] bool is_saturated(const SimulationResult& run);
[[nodiscard]] std::size_t saturated_runs(std::span<const SimulationResult> runs);
[[nodiscard]] std::size_t saturated_runs(const PointResult& point);

/// "saturated" where all runs are, "1 of 3 saturated" where some are, else empty.
[[nodiscard]] std::string saturation_text(std::size_t saturated_runs, std::size_t runs);
[[nodiscard]] std::string saturation_text(const PointResult& point);

}  // namespace weir::experiments::records
