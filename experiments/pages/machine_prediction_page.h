#pragma once

#include <nlohmann/json_fwd.hpp>

#include "experiments/records/document.h"
#include "experiments/records/machine_prediction.h"

namespace weir::experiments::pages {

/// Page of a prediction for a larger machine. It has the predicted value with its 95 % interval,
/// doubts, the small machines, and the sums of terms that were fitted to them.
[[nodiscard]] records::Document machine_prediction_document(
    const records::MachinePrediction& prediction);

/// The same as JSON, by the names of MachinePrediction's members; null for absent numbers.
[[nodiscard]] nlohmann::ordered_json machine_prediction_json(
    const records::MachinePrediction& prediction);

}  // namespace weir::experiments::pages
