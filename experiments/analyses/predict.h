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

/// Program and machine for which models predict.
struct AskedProgram {
    const KernelAnalysis& analysis;
    MachineView machine;
    firmware::Communication communication = firmware::Communication::kRequestReply;
    firmware::MessagePattern pattern;
    nlohmann::ordered_json facts = nlohmann::ordered_json::object();
};

/// Asks each model twice: with inputs measured from the trace, and with the file's own inputs if it
/// has any.
///
/// LogP and LoGPC split a handler's time into o_r and the o_s of its reply; LoPC's S_o is the whole
/// handler. For messages with bodies, LogGP is LoGPC without contention. A kernel's own analysis
/// (kernels/) may have answers for this kernel alone. A model whose assumptions machine or program
/// do not meet gives the reason in place of a prediction.
std::vector<records::Prediction> predict(std::span<const std::string> models,
                                         const records::Metrics& measured_inputs,
                                         const records::Metrics& given_inputs,
                                         const AskedProgram& program);

/// Metrics of the models' errors, in per cent of the measurement. Each model has one metric for its
/// prediction from measured inputs, and one for its prediction from the file's inputs.
const records::MetricGroup& comparison_metrics();

}  // namespace weir::experiments::analyses
