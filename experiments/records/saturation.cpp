#include "experiments/records/saturation.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/records/json_input.h"
#include "experiments/records/run_status.h"

namespace weir::experiments::records {

bool is_saturated(const SimulationResult& run) {
    return run.measured.particulars->contains(kSaturatedRuns);
}

std::size_t saturated_runs(std::span<const SimulationResult> runs) {
    return static_cast<std::size_t>(
        std::count_if(runs.begin(), runs.end(), [](const auto& run) { return is_saturated(run); }));
}

std::size_t saturated_runs(const PointResult& point) {
    const auto found = point.particulars->find(kSaturatedRuns);
    return found == point.particulars->end() ? 0 : whole_number<std::size_t>(*found);
}

std::string saturation_text(std::size_t saturated_runs, std::size_t runs) {
    if (saturated_runs == 0) {
        return "";
    }
    const std::string word = status_name(RunStatus::kSaturated);
    return saturated_runs == runs ? word : fmt::format("{} of {} {}", saturated_runs, runs, word);
}

std::string saturation_text(const PointResult& point) {
    return saturation_text(saturated_runs(point), point.seeds.size());
}

}  // namespace weir::experiments::records
