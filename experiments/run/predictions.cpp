#include "experiments/run/predictions.h"

#include <algorithm>
#include <numeric>

#include "experiments/models/logp/logp.h"
#include "experiments/models/logpc/logpc_network.h"
#include "experiments/models/logpc/logpc_short_messages.h"
#include "experiments/models/lopc/lopc_all_to_any.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::run {

namespace {

// Takes inputs by name and remembers which were taken.
class Inputs {
  public:
    explicit Inputs(const Metrics& metrics) : metrics_(metrics) {}

    double take(const char* name) {
        const std::optional<double> value = find_metric(metrics_, name);
        if (value && !find_metric(taken_, name)) {
            taken_.emplace_back(name, *value);
        }
        return value.value_or(models::kNotGiven);
    }
    [[nodiscard]] bool has(const char* name) const {
        return find_metric(metrics_, name).has_value();
    }
    [[nodiscard]] const Metrics& taken() const { return taken_; }

  private:
    const Metrics& metrics_;
    Metrics taken_;
};

models::LogpInputs logp_inputs(Inputs& inputs) {
    return {inputs.take("latency_cycles"), inputs.take("send_overhead_cycles"),
            inputs.take("receive_overhead_cycles")};
}

double lopc(Inputs& inputs, const PredictionContext& context, Metrics& details) {
    models::LopcInputs lopc;
    lopc.processors = std::accumulate(context.mesh_extents.begin(), context.mesh_extents.end(), 1,
                                      std::multiplies<>());
    lopc.work_cycles =
        inputs.has("thread_cycles") ? inputs.take("thread_cycles") : inputs.take("work_cycles");
    lopc.network_cycles = inputs.take("latency_cycles");
    lopc.handler_cycles = inputs.take("handler_cycles");
    lopc.handler_squared_cv =
        inputs.has("handler_squared_cv") ? inputs.take("handler_squared_cv") : 0.0;
    lopc.protocol_processor = context.protocol_processor;
    const models::LopcSolution solution = models::solve_lopc_all_to_any(lopc);
    const models::LopcContention& contention = solution.contention;
    details.emplace_back("interference_cycles", contention.interference_cycles);
    details.emplace_back("request_queueing_cycles", contention.request_queueing_cycles);
    details.emplace_back("reply_queueing_cycles", contention.reply_queueing_cycles);
    details.emplace_back("processor_contention_cycles", contention.total_cycles());
    return solution.response_cycles;
}

models::LogpcNetworkInputs network_inputs(Inputs& inputs, const PredictionContext& context) {
    models::LogpcNetworkInputs network;
    network.dimensions = static_cast<int>(context.mesh_extents.size());
    network.mean_distance_per_dimension =
        models::mesh_mean_distance_per_dimension(context.mesh_extents);
    network.message_bytes = inputs.take("message_bytes");
    return network;
}

double logpc(Inputs& inputs, const PredictionContext& context, Metrics& details) {
    const models::LogpcShortMessages solution = models::solve_logpc_synchronous(
        logp_inputs(inputs), inputs.take("work_cycles"), network_inputs(inputs, context));
    details.emplace_back("network_contention_cycles", solution.network.contention_cycles);
    details.emplace_back("processor_contention_cycles", solution.processor_contention_cycles);
    return solution.iteration_cycles;
}

double round_trip(const std::string& model, Inputs& inputs, const PredictionContext& context,
                  Metrics& details) {
    if (model == "logp") {
        return models::logp_round_trip_cycles(logp_inputs(inputs), inputs.take("work_cycles"));
    }
    if (model == "lopc") {
        return lopc(inputs, context, details);
    }
    if (model == "lopc_rule_of_thumb") {
        const models::LogpInputs logp = logp_inputs(inputs);
        details.emplace_back("processor_contention_cycles",
                             models::lopc_rule_of_thumb_contention_cycles(logp));
        return models::lopc_rule_of_thumb_round_trip_cycles(logp, inputs.take("work_cycles"));
    }
    return logpc(inputs, context, details);
}

// Nobody waits, so nothing queues that costs a processor time (LoGPC Section 5.1.2).
double asynchronous(const std::string& model, Inputs& inputs, const PredictionContext& context,
                    Metrics& details) {
    const models::LogpInputs logp = logp_inputs(inputs);
    if (model == "logpc") {
        const models::LogpcShortMessages solution =
            models::solve_logpc_asynchronous(logp, network_inputs(inputs, context));
        details.emplace_back("network_contention_cycles", solution.network.contention_cycles);
    }
    return models::logp_asynchronous_iteration_cycles(logp) + inputs.take("work_cycles");
}

Prediction ask(const std::string& model, const std::string& name, const Metrics& given,
               const PredictionContext& context) {
    Prediction prediction;
    prediction.model = name;
    Inputs inputs(given);
    try {
        Metrics details;
        const bool waits = find_metric(context.kernel_facts, "asynchronous").value_or(0.0) == 0.0;
        const double cycles = waits ? round_trip(model, inputs, context, details)
                                    : asynchronous(model, inputs, context, details);
        prediction.metrics.emplace_back("cycles_per_iteration", cycles);
        const auto nonzeros = find_metric(context.kernel_facts, "nonzeros");
        const auto remote = find_metric(context.kernel_facts, "remote_nonzeros");
        if (nonzeros && remote) {
            prediction.metrics.emplace_back("cycles_per_nonzero", cycles * *remote / *nonzeros);
        }
        prediction.metrics.insert(prediction.metrics.end(), details.begin(), details.end());
    } catch (const models::ModelError& error) {
        prediction.metrics.clear();
        prediction.not_applicable = error.what();
    }
    prediction.inputs = inputs.taken();
    return prediction;
}

}  // namespace

std::vector<Prediction> predict(std::span<const std::string> models, const Metrics& measured_inputs,
                                const Metrics& given_inputs, const PredictionContext& context) {
    std::vector<Prediction> predictions;
    for (const std::string& model : models) {
        predictions.push_back(ask(model, model, measured_inputs, context));
        if (measured_inputs.empty()) {
            predictions.back().not_applicable = "no message was handled in the measured time";
        }
        if (!given_inputs.empty()) {
            predictions.push_back(ask(model, model + "_given", given_inputs, context));
        }
    }
    return predictions;
}

const std::vector<std::string>& known_models() {
    static const std::vector<std::string> names{"logp", "lopc", "lopc_rule_of_thumb", "logpc"};
    return names;
}

const std::vector<std::string>& known_model_inputs() {
    static const std::vector<std::string> names{
        "latency_cycles", "send_overhead_cycles", "receive_overhead_cycles",
        "handler_cycles", "handler_squared_cv",   "work_cycles",
        "message_bytes"};
    return names;
}

}  // namespace weir::experiments::run
