#pragma once

#include <string>

#include "experiments/records/metrics.h"

namespace weir::experiments::records {

/// Prediction of one model for a run: metrics, and the inputs of the model.
struct Prediction {
    /// Model: "lopc", or "lopc_given" if it uses the inputs in the file's [models.inputs].
    std::string model;
    Metrics metrics;
    Metrics inputs;
    std::string not_applicable;  ///< reason why the model does not apply; empty if it does
};

}  // namespace weir::experiments::records
