#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/kernel_analysis.h"
#include "experiments/analyses/question.h"
#include "experiments/records/metric.h"
#include "experiments/records/prediction.h"

namespace weir::experiments::analyses {

/// A program on a machine, as models are asked about it.
struct AskedProgram {
    const KernelAnalysis& analysis;
    MachineView machine;
    firmware::Communication communication = firmware::Communication::kRequestReply;
    firmware::MessagePattern pattern;
    nlohmann::ordered_json facts = nlohmann::ordered_json::object();
};

/// Asks each model twice: with what the trace showed, and with the file's own inputs if it has any.
///
/// LogP and LoGPC split a handler's time into o_r and the o_s of the reply it sends; LoPC's S_o is
/// the whole handler. Where messages have bodies, LogGP is LoGPC without contention. What models
/// say of one program alone stands in its analysis (kernels/). A model whose assumptions the
/// machine or the program does not meet says so and predicts nothing.
std::vector<records::Prediction> predict(std::span<const std::string> models,
                                         const records::Metrics& measured_inputs,
                                         const records::Metrics& given_inputs,
                                         const AskedProgram& program);

/// How far models are off, in per cent of what was measured. Declared once a model, asked with what
/// was measured or with what the file gives.
const records::MetricGroup& comparison_metrics();

}  // namespace weir::experiments::analyses
