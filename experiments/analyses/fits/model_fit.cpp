#include "experiments/analyses/fits/model_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/fits/fitted_parameter.h"
#include "experiments/analyses/fits/observations.h"
#include "experiments/analyses/fits/residuals.h"
#include "experiments/analyses/fits/transfer_fit.h"
#include "experiments/models/model_error.h"
#include "hw/declaration.h"

namespace weir::experiments::analyses {

namespace {

using records::ModelFit;
using trace::TimedMessage;

constexpr int kLoadGroups = 5;

records::FittedValue fitted_value(const FittedParameter& parameter,
                                  const FittedParameter::Value& value) {
    const std::vector<std::string>& inputs = known_model_inputs();
    records::FittedValue fitted{
        .name = parameter.name,
        .symbol = parameter.symbol,
        .unit = hw::unit_of_name(parameter.name),
        .sentence = parameter.sentence,
        .is_model_input = !value.message_bytes &&
                          std::find(inputs.begin(), inputs.end(), parameter.name) != inputs.end()};
    if (value.message_bytes) {
        fitted.message_bytes = value.message_bytes->count();
    }
    if (value.estimate) {
        fitted.value = value.estimate->mean;
        fitted.half_width = value.estimate->half_width;
        fitted.observations = static_cast<std::int64_t>(value.estimate->count);
    } else if (value.upper_bound) {
        fitted.value = value.upper_bound;
        fitted.is_upper_bound = true;
    }
    return fitted;
}

void add_values(const FittedModel& model, const Observations& observations, ModelFit& fit) {
    for (const FittedParameter& parameter : model.parameters) {
        const std::vector<FittedParameter::Value> values = parameter.estimate(observations);
        const bool is_told =
            std::any_of(values.begin(), values.end(),
                        [](const FittedParameter::Value& value) { return value.estimate; });
        if (!is_told && parameter.is_required) {
            throw models::ModelError(fmt::format("the traces do not tell {} of {}: {}",
                                                 parameter.name, fit.model, parameter.untold),
                                     "the trace of a run such as " + parameter.command);
        }
        if (!is_told) {
            fit.warnings.push_back({parameter.name, parameter.untold, parameter.command});
        }
        for (const FittedParameter::Value& value : values) {
            fit.values.push_back(fitted_value(parameter, value));
        }
    }
    if (observations.has_few_body_sizes()) {
        fit.warnings.push_back({"gap_cycles_per_byte",
                                "bodies have two sizes, so the interval leaves out how far times "
                                "are from a straight line",
                                "weir run experiments/logpc/table2-body.toml --set "
                                "workload.body_bytes=[2048,4096,8192]"});
    }
    if (observations.needs_common_clock()) {
        fit.warnings.push_back({"latency_cycles",
                                "no two nodes sent to each other, so it is right only if the "
                                "nodes' clocks agree",
                                "weir run experiments/logpc/table1-ping.toml"});
    }
}

// Time of each message by the fitted model.
class MessageTimes {
  public:
    MessageTimes(const FittedModel& model, const Observations& observations)
        : model_(model),
          observations_(observations),
          send_overhead_(mean_of(observations.send_overhead())),
          receive_overhead_(mean_of(observations.receive_overhead())),
          latency_(mean_of(observations.latency())) {
        if (model.has_distances) {
            line_ = observations.latency_over_hops();
        }
        if (model.messages == MessageKind::kWithBody) {
            gap_per_byte_ = observations.gap_per_byte()->mean;
        }
    }

    [[nodiscard]] double of(const TimedMessage& message) const {
        const bool is_long = model_.messages == MessageKind::kWithBody;
        const double latency =
            line_ ? line_->at_zero + line_->slope * static_cast<double>(message.hops)
                  : part(latency_, &Observations::latency, message);
        const double body = is_long
                                ? gap_per_byte_ * static_cast<double>(message.body_bytes.count())
                                : part(receive_overhead_, &Observations::receive_overhead, message);
        return part(send_overhead_, &Observations::send_overhead, message) + latency + body;
    }

  private:
    using NumberOfSize = std::optional<Estimated> (Observations::*)(hw::Bytes) const;

    static double mean_of(const std::optional<Estimated>& number) {
        return number ? number->mean : 0.0;
    }

    // The number of the message's size if the model has such numbers, else the mean of all sizes.
    [[nodiscard]] double part(double all, NumberOfSize of_size, const TimedMessage& message) const {
        const bool is_short = model_.messages == MessageKind::kShort;
        const auto own =
            model_.has_sizes && is_short ? (observations_.*of_size)(message.bytes) : std::nullopt;
        return own ? own->mean : all;
    }

    const FittedModel& model_;
    const Observations& observations_;
    double send_overhead_;
    double receive_overhead_;
    double latency_;
    std::optional<statistics::LineFit> line_;
    double gap_per_byte_ = 0.0;
};

double load_group(const TimedMessage& message) {
    const int group = std::min(kLoadGroups - 1, static_cast<int>(message.load * kLoadGroups));
    return (group + 0.5) / kLoadGroups;
}

void add_residuals(const FittedModel& model, const Observations& observations,
                   std::span<const trace::ProgramTimes> runs, ModelFit& fit) {
    const MessageTimes times(model, observations);
    ResidualsOf<TimedMessage> residuals;
    residuals.group("message_bytes", "size in bytes", [](const TimedMessage& message) {
        return static_cast<double>(message.bytes.count());
    });
    residuals.group("hops", "distance in hops",
                    [](const TimedMessage& message) { return static_cast<double>(message.hops); });
    residuals.group("load", "receiver's load", load_group);
    for (const trace::ProgramTimes& run : runs) {
        for (const TimedMessage& message : run.messages) {
            const bool is_stored =
                message.body_bytes == hw::Bytes(0) || message.body_stored < hw::kNever;
            if (observations.is_of_kind(message) && is_stored) {
                residuals.add(message, Observations::message_cycles(message), times.of(message));
            }
        }
    }
    residuals.finish(fit);
}

}  // namespace

const std::vector<std::string>& fitted_model_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const ComparedModel& model : compared_models()) {
            if (!model.fitted.parameters.empty()) {
                all.push_back(model.name);
            }
        }
        all.emplace_back(kMemoryLogp);
        return all;
    }();
    return names;
}

ModelFit fit_model(std::string_view name, std::span<const trace::ProgramTimes> runs) {
    const ComparedModel& compared = compared_model(name);
    const FittedModel& model = compared.fitted;
    const Observations observations(runs, model.messages);
    ModelFit fit;
    fit.model = compared.name;
    fit.sentence = compared.sentence;
    fit.nodes = observations.node_count();
    fit.count = observations.messages();
    const std::string instead =
        std::string("the trace of a run such as ") + model.parameters.front().command;
    if (fit.nodes < 2) {
        throw models::ModelError("the traces are of a single node, which sends no messages",
                                 instead);
    }
    if (fit.count == 0) {
        const char* kind = model.messages == MessageKind::kShort ? "without" : "with";
        throw models::ModelError(
            fmt::format("{} describes messages {} bodies, and no such message was handled",
                        fit.model, kind),
            instead);
    }
    add_values(model, observations, fit);
    add_residuals(model, observations, runs, fit);
    return fit;
}

}  // namespace weir::experiments::analyses
