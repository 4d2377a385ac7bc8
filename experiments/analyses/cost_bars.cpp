#include "experiments/analyses/cost_bars.h"

#include <initializer_list>
#include <optional>

namespace weir::experiments::analyses {

namespace {

CostBar measured_bar(double gets, double cycles, const records::Metrics& round_trip) {
    const auto sum = [&](std::initializer_list<const char*> names) {
        double total = 0.0;
        for (const char* name : names) {
            total += gets * records::find_metric(round_trip, name).value_or(0.0);
        }
        return total;
    };
    CostBar bar{"measured",
                {{"compute", sum({"compute", "wait"})},
                 {"send", sum({"request_send"})},
                 {"network", sum({"request_network_unloaded", "request_notify",
                                  "reply_network_unloaded", "reply_notify"})},
                 {"handlers", sum({"request_handler", "reply_send", "reply_handler"})},
                 {"contention", sum({"interference", "request_queueing", "reply_queueing",
                                     "request_network_contention", "reply_network_contention"})}}};
    double idle = cycles;
    for (const auto& [name, part] : bar.parts) {
        idle -= part;
    }
    bar.parts.emplace_back("idle", idle);
    return bar;
}

// R = W + 2 S_l + 2 S_o and contention.
std::optional<CostBar> model_bar(double gets, const records::Prediction& prediction) {
    const auto cycles = records::find_metric(prediction.metrics, "cycles_per_nonzero");
    const auto thread = records::find_metric(prediction.inputs, "thread_cycles");
    const auto work = thread ? thread : records::find_metric(prediction.inputs, "work_cycles");
    const auto latency = records::find_metric(prediction.inputs, "latency_cycles");
    const auto handler = records::find_metric(prediction.inputs, "handler_cycles");
    if (!cycles || !work || !latency || !handler) {
        return std::nullopt;
    }
    const double compute = gets * *work;
    const double network = gets * 2.0 * *latency;
    const double handlers = gets * 2.0 * *handler;
    return CostBar{prediction.model,
                   {{"compute", compute},
                    {"network", network},
                    {"handlers", handlers},
                    {"contention", *cycles - compute - network - handlers}}};
}

}  // namespace

CostBars cost_bars(const records::Metrics& measured, const records::Metrics& round_trip,
                   const std::vector<records::Prediction>& predictions) {
    const auto gets = records::find_metric(measured, "gets_per_nonzero");
    const auto cycles = records::find_metric(measured, "cycles_per_nonzero");
    if (!gets || !cycles || !records::find_metric(round_trip, "request_send")) {
        return {};
    }
    CostBars bars{measured_bar(*gets, *cycles, round_trip)};
    for (const char* model : {"lopc_given", "lopc"}) {
        for (const records::Prediction& prediction : predictions) {
            const auto bar =
                prediction.model == model ? model_bar(*gets, prediction) : std::optional<CostBar>();
            if (bar && bars.size() == 1) {
                bars.push_back(*bar);
            }
        }
    }
    return bars;
}

CostBars cost_bars(const records::PointResult& point) {
    CostBars bars;
    for (const auto& [who, parts] : records::particular(point, "cost_bars").items()) {
        bars.push_back({who, records::metrics_from(parts)});
    }
    return bars;
}

}  // namespace weir::experiments::analyses
