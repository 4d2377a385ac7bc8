#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "experiments/records/result.h"
#include "experiments/records/simulation_result.h"

namespace weir::experiments::records {

/// Key in the particulars of a run (value 1) and of a point: number of saturated runs, whose
/// offered load exceeded capacity. Saturated runs end well, but lack the metrics that are means
/// over all offered traffic. The key is absent if no run saturated.
inline constexpr const char* kSaturatedRuns = "saturated_runs";

[[nodiscard]] bool is_saturated(const SimulationResult& run);
[[nodiscard]] std::size_t saturated_runs(std::span<const SimulationResult> runs);
[[nodiscard]] std::size_t saturated_runs(const PointResult& point);

/// Text about saturated runs: "saturated" if all runs are, "1 of 3 saturated" if some are,
/// otherwise empty.
[[nodiscard]] std::string saturation_text(std::size_t saturated_runs, std::size_t runs);
[[nodiscard]] std::string saturation_text(const PointResult& point);

}  // namespace weir::experiments::records
