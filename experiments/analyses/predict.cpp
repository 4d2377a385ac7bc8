#include "experiments/analyses/predict.h"

#include <fmt/format.h>

#include <cmath>
#include <deque>

#include "experiments/analyses/measure.h"
#include "experiments/analyses/patterns/long_messages.h"
#include "experiments/analyses/patterns/programs.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::analyses {

namespace {

using firmware::Communication;

double answer(const ComparedModel& model, const KernelAnalysis& analysis, Question& question) {
    if (const auto own = analysis.ask(model.name, question)) {
        return *own;
    }
    const bool has_bodies = question.pattern.body_bytes > 0.0;
    switch (question.communication) {
        case Communication::kRequestReply:
            if (question.pattern.outstanding_requests > 1.0) {
                return model.several_requests(question);
            }
            return has_bodies ? only_short_messages(question) : model.round_trip(question);
        case Communication::kOneWay:
            return has_bodies ? model.long_one_way(question) : model.one_way(question);
        case Communication::kSingle:
            return model.single(question);
        case Communication::kPipeline:
            return model.pipeline(question);
        case Communication::kProgram:
            return model.program(question);
        case Communication::kNone:
            break;
    }
    throw models::ModelError("applies to messages; here are none");
}

// Adds metrics that follow from the main metric's cycles.
void add_quotients(const AskedProgram& program, double cycles, records::Metrics& metrics) {
    const firmware::MessagePattern& pattern = program.pattern;
    if (pattern.operations_per_node > 0.0 && program.communication == Communication::kProgram) {
        add(metrics, program_metrics().cycles_per_operation, cycles / pattern.operations_per_node);
    }
    if (pattern.body_bytes > 0.0 && program.communication == Communication::kOneWay) {
        add(metrics, long_message_metrics().iteration_cycles_per_byte, cycles / pattern.body_bytes);
    }
}

records::Prediction ask(const ComparedModel& model, const std::string& name,
                        const records::Metrics& given, const AskedProgram& program) {
    records::Prediction prediction;
    prediction.model = name;
    Inputs inputs(given);
    try {
        records::Metrics details;
        Question question{inputs,          program.machine, program.communication,
                          program.pattern, program.facts,   details};
        const double cycles = answer(model, program.analysis, question);
        if (std::isnan(cycles) && !inputs.missing().empty()) {  // the trace lacks an input
            throw models::ModelError(inputs.missing() + " was not measured");
        }
        add(prediction.metrics, leading_metric(program.communication), cycles);
        program.analysis.add_to(prediction, cycles, program.facts);
        add_quotients(program, cycles, prediction.metrics);
        prediction.metrics.insert(prediction.metrics.end(), details.begin(), details.end());
    } catch (const models::ModelError& error) {
        prediction.metrics.clear();
        prediction.not_applicable = error.what();
    }
    prediction.inputs = inputs.taken();
    return prediction;
}

struct ComparisonMetrics final : records::MetricGroup {
    ComparisonMetrics() {
        for (const std::string& model : compared_model_names()) {
            for (const char* asked : {"", "_given"}) {
                const std::string who = model + asked;
                for (const auto& [what, predicted] :
                     {std::pair("", "the page's main metric"),
                      {"_contention", "processor_contention_cycles"},
                      {"_interference", "interference_cycles"},
                      {"_request_queueing", "request_queueing_cycles"},
                      {"_reply_queueing", "reply_queueing_cycles"}}) {
                    members_.emplace_back(
                        *this, who + what + "_over_measured_percent", "%",
                        fmt::format(
                            "Relative excess of {}'s prediction of {} over the measured value", who,
                            predicted));
                }
                members_.emplace_back(
                    *this, who + "_bounds_exceeded_cycles", "cycles",
                    "Distance of the measured cycles_per_iteration from the bounds of " + who +
                        "; 0 within them",
                    "LoPC (9)");
            }
        }
    }

  private:
    std::deque<records::Metric> members_;
};

}  // namespace

std::vector<records::Prediction> predict(std::span<const std::string> models,
                                         const records::Metrics& measured_inputs,
                                         const records::Metrics& given_inputs,
                                         const AskedProgram& program) {
    std::vector<records::Prediction> predictions;
    for (const std::string& name : models) {
        const ComparedModel& model = compared_model(name);
        predictions.push_back(ask(model, name, measured_inputs, program));
        if (measured_inputs.empty()) {
            predictions.back().not_applicable = "no message was handled in the measured time";
        }
        if (!given_inputs.empty()) {
            predictions.push_back(ask(model, name + "_given", given_inputs, program));
        }
    }
    return predictions;
}

const records::MetricGroup& comparison_metrics() {
    static const ComparisonMetrics metrics;
    return metrics;
}

}  // namespace weir::experiments::analyses
