#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/records/result.h"
#include "experiments/records/run_status.h"
#include "experiments/records/simulation_result.h"

namespace weir::experiments::running {

using records::RunStatus;
using records::status_name;

/// A number that a run gave.
struct RunMetric {
    std::string source;  ///< "measured", "round_trip", "compared", or the model that predicts it
    std::string metric;
    double value = 0.0;
};

/// What is kept of a run: one point with one seed. Who runs it hands it to who writes it.
struct RunOutcome {
    RunStatus status = RunStatus::kFailed;
    /// The exit status that `weir run` would end with; with `is_killed` the signal.
    int exit_status = 0;
    bool is_killed = false;
    std::string message;  ///< what went wrong; empty where nothing did
    /// A hash of all that was simulated: results, every part's counters, the message. Empty where
    /// the process was killed.
    std::string digest;
    std::int64_t cycles = 0;
    double host_seconds = 0.0;
    std::vector<RunMetric> metrics;
    /// The simulation's result as `weir run` keeps it, without host times; empty without one.
    std::string result_json;
};

/// Status of a run by its exit status.
[[nodiscard]] RunStatus status_of(int exit_status);
/// Status of a run that has left a result: exit status 3 has several causes, which `end` tells
/// apart.
[[nodiscard]] RunStatus status_at_end(nodes::RunEnd end, int exit_status);

/// The digest of a run with this result (empty where there is none) and these statistics.
[[nodiscard]] std::string outcome_digest(const RunOutcome& outcome, std::string_view statistics);

/// Measured values, where the round trip went, what models say and how far they are off.
[[nodiscard]] std::vector<RunMetric> metrics_of(const records::PointResult& point);

/// The unit of a metric, which its name carries: "cycles", "cycles/byte", "%", "1" for a ratio or a
/// count.
[[nodiscard]] std::string unit_of(const RunMetric& metric);

/// As a text from one process to another.
[[nodiscard]] std::string to_text(const RunOutcome& outcome);
[[nodiscard]] RunOutcome outcome_from(const std::string& text);

}  // namespace weir::experiments::running
