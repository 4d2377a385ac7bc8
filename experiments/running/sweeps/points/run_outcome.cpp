#include "experiments/running/sweeps/points/run_outcome.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "experiments/kinds/kind.h"
#include "experiments/records/json_input.h"
#include "experiments/records/json_output.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/running/sweeps/database/fact_digest.h"

namespace weir::experiments::running {

namespace {

using Json = nlohmann::ordered_json;

void append(const std::string& source, const records::Metrics& metrics,
            std::vector<RunMetric>& all) {
    for (const auto& [name, value] : metrics) {
        all.push_back({source, name, value});
    }
}

}  // namespace

RunStatus status_of(int exit_status) {
    switch (exit_status) {
        case kSuccess:
            return RunStatus::kOk;
        case kDeadlock:
            return RunStatus::kDeadlocked;
        case kBadInput:
            return RunStatus::kBad;
        default:
            return RunStatus::kFailed;
    }
}

RunStatus status_at_end(nodes::RunEnd end, int exit_status) {
    if (exit_status == kDeadlock && end == nodes::RunEnd::kStarved) {
        return RunStatus::kStarved;
    }
    if (exit_status == kDeadlock && end == nodes::RunEnd::kCycleLimit) {
        return RunStatus::kCycleLimit;
    }
    return status_of(exit_status);
}

std::string outcome_digest(const RunOutcome& outcome, std::string_view statistics) {
    FactDigest digest;
    digest.add(std::to_string(outcome.exit_status));
    digest.add(outcome.message);
    digest.add(outcome.result_json);
    digest.add(statistics);
    return digest.hex();
}

std::vector<RunMetric> metrics_of(const records::PointResult& point) {
    std::vector<RunMetric> metrics;
    for (const records::Estimate& measured : point.measured) {
        metrics.push_back({"measured", measured.name, measured.mean});
    }
    for (const records::SteadyInterval& interval : point.intervals) {
        if (interval.half_width) {
            metrics.push_back({"interval", interval.metric, *interval.half_width});
        }
    }
    append("round_trip", point.round_trip, metrics);
    for (const records::Prediction& prediction : point.predictions) {
        append(prediction.model, prediction.metrics, metrics);
    }
    for (const records::Estimate& compared : point.compared) {
        metrics.push_back({"compared", compared.name, compared.mean});
    }
    return metrics;
}

std::string unit_of(const RunMetric& of) {
    return of.source == "round_trip" ? "cycles" : kinds::unit_of(of.metric);
}

std::string to_text(const RunOutcome& outcome) {
    Json json{{"status", static_cast<int>(outcome.status)},
              {"exit_status", outcome.exit_status},
              {"is_killed", outcome.is_killed},
              {"message", outcome.message},
              {"digest", outcome.digest},
              {"cycles", outcome.cycles},
              {"host_seconds", outcome.host_seconds},
              {"metrics", Json::array()},
              {"result", outcome.result_json}};
    for (const RunMetric& metric : outcome.metrics) {
        json["metrics"].push_back({metric.source, metric.metric, metric.value});
    }
    return records::json_text(json);
}

RunOutcome outcome_from(const std::string& text) {
    const Json json = records::parse_json(text);
    RunOutcome outcome{records::enumerator(json.at("status"), RunStatus::kSaturated),
                       records::whole_number<int>(json.at("exit_status")),
                       json.at("is_killed"),
                       json.at("message"),
                       json.at("digest"),
                       records::count_from(json.at("cycles")),
                       records::extent_from(json.at("host_seconds")),
                       {},
                       json.at("result")};
    for (const Json& metric : json.at("metrics")) {
        // Infinities and NaN are written as null.
        if (!metric.at(2).is_null()) {
            outcome.metrics.push_back({metric.at(0), metric.at(1), metric.at(2)});
        }
    }
    return outcome;
}

}  // namespace weir::experiments::running
