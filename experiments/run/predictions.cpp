#include "experiments/run/predictions.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "experiments/models/logp/logp.h"
#include "experiments/models/logpc/logpc_network.h"
#include "experiments/models/logpc/logpc_short_messages.h"
#include "experiments/models/lopc/lopc_all_to_any.h"
#include "experiments/models/lopc/lopc_general.h"
#include "experiments/models/lopc/lopc_mva.h"
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

int processors(const PredictionContext& context) {
    return std::accumulate(context.mesh_extents.begin(), context.mesh_extents.end(), 1,
                           std::multiplies<>());
}

void require_handlers_that_interrupt(const PredictionContext& context) {
    if (context.receive_mode == nodes::ReceiveMode::kPolling) {
        throw models::ModelError("its handlers interrupt the thread, and here the thread polls");
    }
    if (context.receive_mode == nodes::ReceiveMode::kProtocolProcessor) {
        throw models::ModelError(
            "its handlers interrupt the thread, and here they run on a protocol processor");
    }
}

models::LopcInputs lopc_inputs(Inputs& inputs, const PredictionContext& context) {
    if (context.receive_mode == nodes::ReceiveMode::kPolling) {
        throw models::ModelError(
            "its handlers interrupt the thread or run beside it, and here the thread polls");
    }
    models::LopcInputs lopc;
    lopc.processors = processors(context);
    lopc.work_cycles =
        inputs.has("thread_cycles") ? inputs.take("thread_cycles") : inputs.take("work_cycles");
    lopc.network_cycles = inputs.take("latency_cycles");
    lopc.handler_cycles = inputs.take("handler_cycles");
    lopc.handler_squared_cv =
        inputs.has("handler_squared_cv") ? inputs.take("handler_squared_cv") : 0.0;
    lopc.protocol_processor = context.receive_mode == nodes::ReceiveMode::kProtocolProcessor;
    return lopc;
}

double lopc(Inputs& inputs, const PredictionContext& context, Metrics& details) {
    const models::LopcInputs lopc = lopc_inputs(inputs, context);
    const models::LopcSolution solution = models::solve_lopc_all_to_any(lopc);
    const models::LopcContention& contention = solution.contention;
    details.emplace_back("interference_cycles", contention.interference_cycles);
    details.emplace_back("request_queueing_cycles", contention.request_queueing_cycles);
    details.emplace_back("reply_queueing_cycles", contention.reply_queueing_cycles);
    details.emplace_back("processor_contention_cycles", contention.total_cycles());
    if (lopc.handler_squared_cv == 0.0 && !lopc.protocol_processor) {  // those that (9) is for
        const models::LopcBounds bounds = models::lopc_response_bounds(lopc);
        details.emplace_back("lower_bound_cycles", bounds.lower_cycles);
        details.emplace_back("upper_bound_cycles", bounds.upper_cycles);
    }
    return solution.response_cycles;
}

// Every node asks every other alike.
double lopc_schweitzer(Inputs& inputs, const PredictionContext& context, Metrics& /*details*/) {
    const models::LopcInputs lopc = lopc_inputs(inputs, context);
    models::LopcGeneralInputs general;
    general.visits = models::lopc_all_to_any_visits(lopc.processors, 1.0);
    general.work_cycles = {lopc.work_cycles};
    general.network_cycles = lopc.network_cycles;
    general.handler_cycles = lopc.handler_cycles;
    general.handler_squared_cv = lopc.handler_squared_cv;
    general.protocol_processor = lopc.protocol_processor;
    return models::solve_lopc_bard_schweitzer(general).response_cycles;
}

double lopc_rule_of_thumb(Inputs& inputs, const PredictionContext& context, Metrics& details) {
    require_handlers_that_interrupt(context);
    const models::LogpInputs logp = logp_inputs(inputs);
    details.emplace_back("processor_contention_cycles",
                         models::lopc_rule_of_thumb_contention_cycles(logp));
    return models::lopc_rule_of_thumb_round_trip_cycles(logp, inputs.take("work_cycles"));
}

// LoGPC's network with a channel taken for B cycles by B bytes, as printed, or for G B.
models::LogpcNetworkInputs network_inputs(Inputs& inputs, const PredictionContext& context,
                                          double channel_cycles_per_byte) {
    if (!context.network_contends) {
        throw models::ModelError("its network contends, and here network.model is \"delay\"");
    }
    models::LogpcNetworkInputs network;
    network.dimensions = static_cast<int>(context.mesh_extents.size());
    network.mean_distance_per_dimension =
        models::mesh_mean_distance_per_dimension(context.mesh_extents);
    network.message_bytes = inputs.take("message_bytes");
    network.channel_cycles_per_byte = channel_cycles_per_byte;
    return network;
}

double logpc_round_trip(Inputs& inputs, const PredictionContext& context, Metrics& details,
                        double channel_cycles_per_byte) {
    require_handlers_that_interrupt(context);
    const models::LogpcShortMessages solution =
        models::solve_logpc_synchronous(logp_inputs(inputs), inputs.take("work_cycles"),
                                        network_inputs(inputs, context, channel_cycles_per_byte));
    details.emplace_back("network_contention_cycles", solution.network.contention_cycles);
    details.emplace_back("processor_contention_cycles", solution.processor_contention_cycles);
    return solution.iteration_cycles;
}

double logp_round_trip(Inputs& inputs, const PredictionContext& /*context*/, Metrics& /*details*/) {
    return models::logp_round_trip_cycles(logp_inputs(inputs), inputs.take("work_cycles"));
}

// Nobody waits, so nothing queues that costs a processor time (LoGPC Section 5.1.2). A protocol
// processor takes what arrives while the thread sends: the slower of the two sets the pace.
double logp_one_way(Inputs& inputs, const PredictionContext& context, Metrics& /*details*/) {
    const models::LogpInputs logp = logp_inputs(inputs);
    const double work = inputs.take("work_cycles");
    const double both = models::logp_asynchronous_iteration_cycles(logp);
    return context.receive_mode == nodes::ReceiveMode::kProtocolProcessor
               ? std::max(work + logp.send_overhead_cycles, logp.receive_overhead_cycles)
               : work + both;
}

double logpc_one_way(Inputs& inputs, const PredictionContext& context, Metrics& details,
                     double channel_cycles_per_byte) {
    const models::LogpInputs logp = logp_inputs(inputs);
    const models::LogpcShortMessages solution = models::solve_logpc_asynchronous(
        logp, network_inputs(inputs, context, channel_cycles_per_byte), inputs.take("work_cycles"));
    details.emplace_back("network_contention_cycles", solution.network.contention_cycles);
    return logp_one_way(inputs, context, details);
}

double only_with_replies(Inputs& /*inputs*/, const PredictionContext& /*context*/,
                         Metrics& /*details*/) {
    throw models::ModelError("its threads wait for replies, and here nobody waits");
}

constexpr double kAsPrinted = 1.0;  // cycles a byte

/// A model that a file can name, and how each kind of communication is asked about. `details` are
/// what it says besides the cycles of an iteration.
struct KnownModel {
    using Ask = double (*)(Inputs& inputs, const PredictionContext& context, Metrics& details);
    const char* name;
    Ask round_trip;
    Ask one_way;
};

constexpr std::array kModels{
    KnownModel{"logp", logp_round_trip, logp_one_way},
    KnownModel{"lopc", lopc, only_with_replies},
    KnownModel{"lopc_schweitzer", lopc_schweitzer, only_with_replies},
    KnownModel{"lopc_rule_of_thumb", lopc_rule_of_thumb, only_with_replies},
    KnownModel{"logpc",
               [](Inputs& inputs, const PredictionContext& context, Metrics& details) {
                   return logpc_round_trip(inputs, context, details, kAsPrinted);
               },
               [](Inputs& inputs, const PredictionContext& context, Metrics& details) {
                   return logpc_one_way(inputs, context, details, kAsPrinted);
               }},
    KnownModel{"logpc_cycles",
               [](Inputs& inputs, const PredictionContext& context, Metrics& details) {
                   return logpc_round_trip(inputs, context, details,
                                           context.channel_cycles_per_byte);
               },
               [](Inputs& inputs, const PredictionContext& context, Metrics& details) {
                   return logpc_one_way(inputs, context, details, context.channel_cycles_per_byte);
               }},
};

Prediction ask(const std::string& name_in_file, const std::string& name, const Metrics& given,
               const PredictionContext& context) {
    const KnownModel& model =
        *std::find_if(kModels.begin(), kModels.end(),
                      [&](const KnownModel& known) { return known.name == name_in_file; });
    Prediction prediction;
    prediction.model = name;
    Inputs inputs(given);
    try {
        Metrics details;
        const KnownModel::Ask answer = context.communication == firmware::Communication::kOneWay
                                           ? model.one_way
                                           : model.round_trip;
        const double cycles = answer(inputs, context, details);
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
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        all.reserve(kModels.size());
        for (const KnownModel& model : kModels) {
            all.emplace_back(model.name);
        }
        return all;
    }();
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
