#pragma once

#include <string>

#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::running {

/// How an experiment ended: the metrics and traces of its runs, the reason of a failure, or the
/// reason of a refusal. Parameters, counters of parts and the host's times are left out.
struct ExperimentOutcome {
    bool is_refused = false;
    std::string text;
    bool operator==(const ExperimentOutcome&) const = default;
};

/// Runs an experiment, and removes its folder. Throws RunFailure for a bug of Weir. Also throws it
/// for a wrong answer whose message does not contain `expected`; an empty text accepts every
/// message.
[[nodiscard]] ExperimentOutcome outcome_of(const RunOptions& options, const std::string& expected);

}  // namespace weir::experiments::running
