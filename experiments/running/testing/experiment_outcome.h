#pragma once

#include <string>

#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::running {

/// How an experiment ended: what its runs measured and traced, or why one failed, or why it was
/// refused. Not in it are what only repeats its parameters, parts' counters and the host's times.
struct ExperimentOutcome {
    bool is_refused = false;
    std::string text;
    bool operator==(const ExperimentOutcome&) const = default;
};

/// Runs it, and removes its folder. Throws RunFailure for a fault of Weir's own, and for a wrong
/// answer whose message does not have `expected` in it; every message has the empty one.
[[nodiscard]] ExperimentOutcome outcome_of(const RunOptions& options, const std::string& expected);

}  // namespace weir::experiments::running
