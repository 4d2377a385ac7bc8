#include "experiments/records/result.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace weir::experiments::records {

namespace {

const Estimate* find(const std::vector<Estimate>& estimates, std::string_view name) {
    const auto found = std::find_if(estimates.begin(), estimates.end(),
                                    [&](const Estimate& e) { return e.name == name; });
    return found == estimates.end() ? nullptr : &*found;
}

}  // namespace

Metrics means(const PointResult& point) {
    Metrics all;
    for (const Estimate& measured : point.measured) {
        all.emplace_back(measured.name, measured.mean);
    }
    return all;
}

const Particulars& particular(const PointResult& point, const std::string& name) {
    static const Particulars none = Particulars::array();
    const auto found = point.particulars->find(name);
    return found == point.particulars->end() ? none : *found;
}

const Estimate* find_estimate(const PointResult& point, std::string_view name) {
    return find(point.measured, name);
}

std::optional<Estimate> find_comparable(const PointResult& point, std::string_view name) {
    if (const Estimate* measured = find_estimate(point, name)) {
        return *measured;
    }
    const Estimate* compared = find(point.compared, name);
    return compared != nullptr ? std::optional(*compared) : std::nullopt;
}

RunEnding ending_of(const SimulationResult& run, const std::string& folder) {
    RunEnding ending;
    ending.seed = run.seed;
    ending.how = bad_end_name(run);
    ending.exit_status = run.exit_status;
    ending.cycles = run.cycles;
    ending.messages = run.messages;
    ending.explanation = run.explanation;
    ending.folder = folder;
    for (const auto& metric : run.measured.metrics) {
        if (std::isfinite(metric.second)) {  // JSON has no infinities or NaN
            ending.partial.push_back(metric);
        }
    }
    return ending;
}

std::string bad_end_name(const SimulationResult& result) {
    if (!result.failure.empty()) {
        return result.failure;
    }
    if (result.end != nodes::RunEnd::kFinished) {
        return std::string(nodes::run_end_name(result.end));
    }
    return result.wrong_answer ? "wrong answer" : "";
}

}  // namespace weir::experiments::records
