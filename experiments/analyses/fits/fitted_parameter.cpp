#include "experiments/analyses/fits/fitted_parameter.h"

#include <utility>

namespace weir::experiments::analyses {

namespace {

using Value = FittedParameter::Value;
using Values = std::vector<Value>;

constexpr const char* kPing = "weir run experiments/logpc/table1-ping.toml";
constexpr const char* kBodies = "weir run experiments/logpc/table2-body.toml";
constexpr const char* kFlood = "weir run experiments/logpc/flood.toml";
constexpr const char* kRequests = "weir run experiments/logpc/sync-remap.toml";
constexpr const char* kNoSend = "no send is without an interrupt";
constexpr const char* kNoHandler = "every handler interrupted a send";
constexpr const char* kNoTrip = "every message waited for the handler of another message";

using Number = std::optional<Estimated> (Observations::*)() const;

// Estimate of a parameter that is a single number for all sizes.
FittedParameter::Estimate single_number(Number member) {
    return [member](const Observations& observations) {
        return Values{{.estimate = (observations.*member)()}};
    };
}

using NumberOfSize = std::optional<Estimated> (Observations::*)(hw::Bytes) const;

// Estimate of a parameter that is a function of the message's size.
FittedParameter::Estimate by_size(NumberOfSize member) {
    return [member](const Observations& observations) {
        Values values;
        for (const auto& [bytes, messages] : observations.sizes()) {
            values.push_back({.estimate = (observations.*member)(bytes), .message_bytes = bytes});
        }
        return values;
    };
}

// One number of a straight line over the distance.
FittedParameter::Estimate of_line(double statistics::LineFit::*value,
                                  double statistics::LineFit::*half_width) {
    return [value, half_width](const Observations& observations) {
        const auto line = observations.latency_over_hops();
        return Values{{.estimate = line ? std::optional(Estimated{
                                              (*line).*value, (*line).*half_width,
                                              static_cast<std::size_t>(observations.messages())})
                                        : std::nullopt}};
    };
}

FittedParameter fitted_send_overhead() {
    return {"send_overhead_cycles",
            "o_s",
            "Time of a send",
            single_number(&Observations::send_overhead),
            kNoSend,
            kPing};
}

FittedParameter fitted_receive_overhead() {
    return {"receive_overhead_cycles",
            "o_r",
            "Time of a handler, without its sends",
            single_number(&Observations::receive_overhead),
            kNoHandler,
            kPing};
}

FittedParameter fitted_latency(const char* symbol) {
    return {"latency_cycles",
            symbol,
            "Time from the end of a send to the begin of the handler",
            single_number(&Observations::latency),
            kNoTrip,
            kPing};
}

FittedParameter fitted_gap() {
    return {"gap_cycles",
            "g",
            "Time between two sends of a node, if the network limits them",
            [](const Observations& observations) {
                return Values{{.estimate = observations.gap(),
                               .upper_bound = observations.least_send_interval()}};
            },
            "too few sends waited for the network",
            kFlood,
            false};
}

FittedParameter fitted_work(bool has_send) {
    return {"work_cycles",
            "W",
            has_send ? "Time of a thread from a reply to the end of its next send"
                     : "Time of a thread from a reply to its next send",
            [has_send](const Observations& observations) {
                std::optional<Estimated> work = observations.work();
                const std::optional<Estimated> send = observations.send_overhead();
                if (work && has_send && send) {
                    work = Estimated{work->mean + send->mean, work->half_width + send->half_width,
                                     work->count};
                }
                return Values{{.estimate = work}};
            },
            "no thread waits for a reply and sends again",
            kRequests,
            false};
}

}  // namespace

FittedModel fitted_logp() {
    return {.parameters = {fitted_send_overhead(), fitted_receive_overhead(), fitted_latency("L"),
                           fitted_gap(), fitted_work(false)}};
}

FittedModel fitted_lopc() {
    return {.parameters = {fitted_latency("S_t"),
                           {"handler_cycles", "S_o", "Time of a handler, with its sends",
                            single_number(&Observations::service), kNoHandler, kRequests},
                           {"handler_squared_cv", "C^2", "Squared coefficient of variation of S_o",
                            single_number(&Observations::service_variation),
                            "fewer than two handlers", kRequests},
                           fitted_work(true)}};
}

FittedModel fitted_logpc() {
    FittedModel model = fitted_logp();
    model.has_distances = true;
    model.parameters.push_back(
        {"latency_without_hops_cycles", "L_0", "Latency at a distance of 0",
         of_line(&statistics::LineFit::at_zero, &statistics::LineFit::at_zero_half_width),
         "all messages have the same distance", kPing, false});
    model.parameters.push_back(
        {"hop_cycles", "r", "Latency per hop",
         of_line(&statistics::LineFit::slope, &statistics::LineFit::slope_half_width),
         "all messages have the same distance", kPing, false});
    return model;
}

FittedModel fitted_loggp() {
    return {.parameters = {{"long_send_overhead_cycles", "o_sl", "Time of a long message's send",
                            single_number(&Observations::send_overhead), kNoSend, kBodies},
                           {"long_receive_overhead_cycles", "o_rl",
                            "Time of a long message's handler, without its sends",
                            single_number(&Observations::receive_overhead), kNoHandler, kBodies},
                           fitted_latency("L"),
                           {"gap_cycles_per_byte", "G", "Additional time for a byte of a body",
                            single_number(&Observations::gap_per_byte),
                            "all bodies have the same size, or none was stored", kBodies}},
            .messages = MessageKind::kWithBody,
            .has_sizes = true};
}

FittedModel fitted_plogp() {
    return {.parameters = {{"send_overhead_cycles", "o_s(m)", "Time of a send of m bytes",
                            by_size(&Observations::send_overhead), kNoSend, kPing},
                           {"receive_overhead_cycles", "o_r(m)",
                            "Time of the handler of m bytes, without its sends",
                            by_size(&Observations::receive_overhead), kNoHandler, kPing},
                           {"latency_cycles", "L(m)",
                            "Time from the end of a send of m bytes to the begin of the handler",
                            by_size(&Observations::latency), kNoTrip, kPing},
                           fitted_gap()},
            .has_sizes = true};
}

}  // namespace weir::experiments::analyses
