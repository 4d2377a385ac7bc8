#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "experiments/records/held_json.h"
#include "experiments/records/metrics.h"
#include "experiments/records/steady_interval.h"

namespace weir::experiments::records {

/// Entries that only some kinds of experiment or kernels have, as JSON of the result. The code that
/// writes an entry also reads it.
using Particulars = nlohmann::ordered_json;

/// Measurements of one run.
struct Measured {
    Metrics metrics;
    /// Mean cycles of the parts of a request's round trip, an iteration or a program's time. The
    /// parts are exclusive and sum to the whole.
    Metrics round_trip;
    /// Inputs of the models, measured from the trace.
    Metrics model_inputs;
    /// Precision of the main metric, if requested.
    std::optional<SteadyInterval> interval;
    HeldJson particulars;
};

}  // namespace weir::experiments::records
