#pragma once

#include <string>

#include "experiments/records/metrics.h"

namespace weir::experiments::records {

/// What one model says of a run: metrics, and the inputs it was asked with.
struct Prediction {
    std::string model;  ///< "lopc"; "lopc_given" when asked with the file's [models.inputs]
    Metrics metrics;
    Metrics inputs;
    std::string not_applicable;  ///< why the model gives nothing, or empty
};

}  // namespace weir::experiments::records
