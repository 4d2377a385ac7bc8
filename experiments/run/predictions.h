#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "experiments/run/metrics.h"

namespace weir::experiments::run {

/// What one model says of a run: the metric, and the inputs it was asked with.
struct Prediction {
    std::string model;  ///< "lopc"; "lopc_given" when asked with the file's [models.inputs]
    Metrics metrics;
    Metrics inputs;
    std::string not_applicable;  ///< why the model gives nothing, or empty
};

/// The machine and kernel as far as the models need them.
struct PredictionContext {
    std::vector<int> mesh_extents;
    bool protocol_processor = false;  ///< LoPC then leaves the thread alone (Section 4.2)
    Metrics kernel_facts;
};

/// Asks each model twice: with what the trace showed, and with the file's own inputs if it has any.
///
/// LogP and LoGPC split a handler's time into o_r and the o_s of the reply it sends; LoPC's S_o is
/// the whole handler, and its W what the thread itself does, its sends included ("the model can
/// easily be extended to include non-negligible send cost", LoPC Section 3.1.2).
std::vector<Prediction> predict(std::span<const std::string> models, const Metrics& measured_inputs,
                                const Metrics& given_inputs, const PredictionContext& context);

const std::vector<std::string>& known_models();
const std::vector<std::string>& known_model_inputs();

}  // namespace weir::experiments::run
