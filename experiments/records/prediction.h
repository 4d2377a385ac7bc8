#pragma once

#include <string>

#include "experiments/records/metrics.h"

namespace weir::experiments::records {

/// Prediction of one model for a run: metrics, and the inputs of the model.
struct Prediction {
    std::string model;  ///< "lopc"; "lopc_given" with the file's [models.inputs]
    Metrics metrics;
    Metrics inputs;
    std::string not_applicable;  ///< reason why the model does not apply; empty if it does
};

}  // namespace weir::experiments::records
