#pragma once

#include <string>
#include <string_view>

#include "experiments/records/metrics.h"

namespace weir::experiments::records {

/// End of the name of a prediction that uses the inputs in the file's [models.inputs].
inline constexpr std::string_view kGiven = "_given";

/// Model whose prediction has this name: "lopc" for "lopc" and for "lopc_given".
[[nodiscard]] inline std::string model_of(const std::string& prediction) {
    return prediction.ends_with(kGiven) ? prediction.substr(0, prediction.size() - kGiven.size())
                                        : prediction;
}

/// Prediction of one model for a run: metrics, and the inputs of the model.
struct Prediction {
    /// Model: "lopc", or "lopc_given" if it uses the inputs in the file's [models.inputs].
    std::string model;
    Metrics metrics;
    Metrics inputs;
    std::string not_applicable;  ///< reason why the model does not apply; empty if it does
};

}  // namespace weir::experiments::records
