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

/// Number from a run.
struct RunMetric {
    /// "measured", "round_trip", "compared", or the name of the predicting model
    std::string source;
    std::string metric;
    double value = 0.0;
};

/// Record of a run: a point with a seed. The process that runs it hands it to the process that
/// writes the database.
struct RunOutcome {
    RunStatus status = RunStatus::kFailed;
    /// Exit status of `weir run` for this run; with `is_killed` the signal.
    int exit_status = 0;
    bool is_killed = false;
    std::string message;  ///< fault; empty for a run that ended well
    /// Hash of all simulated facts: results, all counters, the message. A killed process has no
    /// digest.
    std::string digest;
    std::int64_t cycles = 0;
    double host_seconds = 0.0;
    std::vector<RunMetric> metrics;
    /// Result of the simulation as `weir run` writes it, without host times. The text is empty
    /// without a result.
    std::string result_json;
};

/// Status of a run by its exit status.
[[nodiscard]] RunStatus status_of(int exit_status);
/// Status of a run with a result. `end` distinguishes the causes of exit status 3.
[[nodiscard]] RunStatus status_at_end(nodes::RunEnd end, int exit_status);

/// Digest of a run with this result (empty if there is none) and these statistics.
[[nodiscard]] std::string outcome_digest(const RunOutcome& outcome, std::string_view statistics);

/// Measured values, parts of the round trip, predictions of models and their deviations.
[[nodiscard]] std::vector<RunMetric> metrics_of(const records::PointResult& point);

/// Unit of a metric, which its name contains: "cycles", "cycles/byte", "%", or "1" for a ratio or a
/// count.
[[nodiscard]] std::string unit_of(const RunMetric& metric);

/// Text of an outcome for another process, and back.
[[nodiscard]] std::string to_text(const RunOutcome& outcome);
[[nodiscard]] RunOutcome outcome_from(const std::string& text);

}  // namespace weir::experiments::running
