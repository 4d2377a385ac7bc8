#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "experiments/records/metrics.h"
#include "experiments/records/steady_interval.h"

namespace weir::experiments::records {

/// What only some kinds of experiment or kernels leave, an entry each, as results hold it: who
/// leaves it reads it back.
using Particulars = nlohmann::ordered_json;

/// What one run gave.
struct Measured {
    Metrics metrics;
    /// Where a request's round trip, an iteration or a program's time went; mean cycles, exclusive,
    /// summing to the whole.
    Metrics round_trip;
    /// What the models are asked with: parameters as the trace shows them.
    Metrics model_inputs;
    /// Of the leading metric, where it was asked for.
    std::optional<SteadyInterval> interval;
    Particulars particulars = Particulars::object();
};

}  // namespace weir::experiments::records
