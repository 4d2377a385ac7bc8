#include "experiments/analyses/patterns/iterations.h"

#include <numeric>
#include <string>

#include "experiments/analyses/steady_interval.h"
#include "experiments/analyses/traced_run.h"
#include "experiments/analyses/whole_of_parts.h"
#include "experiments/statistics/steady_state.h"
#include "experiments/trace/measurements/delivery_breakdown.h"
#include "experiments/trace/measurements/measurements.h"
#include "experiments/trace/measurements/round_trip_breakdown.h"

namespace weir::experiments::analyses {

namespace {

using firmware::Communication;

void add_round_trip(const trace::RoundTripBreakdown& breakdown, records::Measured& measured) {
    if (breakdown.iterations == 0) {
        return;
    }
    const IterationMetrics& m = iteration_metrics();
    add(measured.metrics, m.cycles_per_iteration, breakdown.mean_cycles);
    add(measured.metrics, m.iterations_measured, static_cast<double>(breakdown.iterations));
    add_whole(m.cycles_per_iteration, 1.0, measured);
    for (const auto& part : breakdown.parts) {
        measured.round_trip.emplace_back(part.name, part.mean_cycles);
    }
    const auto part = [&measured](const char* name) {
        return records::find_metric(measured.round_trip, name).value_or(0.0);
    };
    add(measured.metrics, m.network_contention_cycles,
        (part("request_network_contention") + part("reply_network_contention")) / 2.0);
    add(measured.metrics, m.processor_contention_cycles,
        part("interference") + part("request_queueing") + part("reply_queueing"));
    add(measured.metrics, m.interference_cycles, part("interference"));
    add(measured.metrics, m.request_queueing_cycles, part("request_queueing"));
    add(measured.metrics, m.reply_queueing_cycles, part("reply_queueing"));
    measured.model_inputs.emplace_back("work_cycles", part("compute") + part("wait"));
    measured.model_inputs.emplace_back("thread_cycles",
                                       part("compute") + part("wait") + part("request_send"));
}

// Whether threads wait for each reply before their next request.
bool has_round_trips(const TracedRun& run) {
    return run.communication() == Communication::kRequestReply &&
           run.pattern().outstanding_requests <= 1.0;
}

// Number of handled messages in an iteration: one without replies, otherwise a request and a reply.
double messages_of_iteration(const TracedRun& run) {
    return run.communication() == Communication::kRequestReply ? 2.0 : 1.0;
}

// Adds metrics of a program whose threads do not wait for each reply: cycles of all processors per
// iteration of `messages` handled messages.
void add_deliveries(const trace::DeliveryBreakdown& breakdown, double messages,
                    records::Measured& measured) {
    if (breakdown.messages == 0) {
        return;
    }
    const IterationMetrics& m = iteration_metrics();
    add(measured.metrics, m.cycles_per_iteration, messages * breakdown.cycles_per_message);
    add_whole(m.cycles_per_iteration, 1.0, measured);
    for (const auto& part : breakdown.parts) {
        measured.round_trip.emplace_back(part.name, messages * part.mean_cycles);
        for (const records::Metric* metric : {&m.blocked_cycles, &m.saves_cycles}) {
            if (metric->name() == part.name + "_cycles") {
                add(measured.metrics, *metric, messages * part.mean_cycles);
            }
        }
    }
    const auto part = [&measured](const char* name) {
        return records::find_metric(measured.round_trip, name).value_or(0.0);
    };
    measured.model_inputs.emplace_back("work_cycles", part("compute"));
    if (messages > 1.0) {  // an iteration has a reply
        measured.model_inputs.emplace_back("thread_cycles", part("compute") + part("send"));
    }
}

// Iterations of all nodes in the order of their ends. If threads wait for each reply, `cycles` has
// the time of each iteration. Otherwise it has the cycles of all nodes since the end of the
// previous iteration.
struct IterationSeries {
    std::vector<double> cycles;
    std::vector<hw::Cycles> ends;
};

IterationSeries iteration_series(const TracedRun& run) {
    IterationSeries series;
    if (has_round_trips(run)) {
        for (const trace::RoundTrip& trip : trace::round_trips(run.trace, run.window)) {
            series.cycles.push_back(static_cast<double>((trip.end - trip.begin).count()));
            series.ends.push_back(trip.end);
        }
        return series;
    }
    const std::vector<hw::Cycles> ends = trace::delivery_ends(run.trace, run.window);
    const auto step = static_cast<std::size_t>(messages_of_iteration(run));
    hw::Cycles before = run.window.begin;
    for (std::size_t i = step - 1; i < ends.size(); i += step) {
        series.cycles.push_back(static_cast<double>((ends[i] - before).count()) * run.node_count);
        series.ends.push_back(ends[i]);
        before = ends[i];
    }
    return series;
}

// Adds times of iterations from a trace without core intervals, from which their parts cannot be
// measured.
void add_iterations(const TracedRun& run, records::Measured& measured) {
    const IterationSeries series = iteration_series(run);
    if (series.cycles.empty()) {
        return;
    }
    const bool has_replies = has_round_trips(run);
    const auto count = static_cast<double>(series.cycles.size());
    const double sum =
        has_replies
            ? std::accumulate(series.cycles.begin(), series.cycles.end(), 0.0)
            : static_cast<double>((run.window.end - run.window.begin).count()) * run.node_count;
    add(measured.metrics, iteration_metrics().cycles_per_iteration, sum / count);
    if (has_replies) {
        add(measured.metrics, iteration_metrics().iterations_measured, count);
    }
}

// LoPC Section 5: throughput of all clients of a workpile.
void add_throughput(double clients, records::Measured& measured) {
    const IterationMetrics& m = iteration_metrics();
    const auto cycles = records::find_metric(measured.metrics, m.cycles_per_iteration);
    if (clients > 0.0 && cycles) {
        add(measured.metrics, m.requests_per_cycle, clients / *cycles);
    }
}

}  // namespace

bool has_iterations(Communication communication) {
    return communication == Communication::kRequestReply || communication == Communication::kOneWay;
}

std::optional<double> whole_round_trip(const records::PointResult& point) {
    const records::Estimate* measured =
        records::find_estimate(point, iteration_metrics().cycles_per_iteration.name());
    return measured != nullptr && !point.round_trip.empty() ? std::optional(measured->mean)
                                                            : std::nullopt;
}

void measure_iterations(const TracedRun& run, records::Measured& measured) {
    if (!has_iterations(run.communication())) {
        return;
    }
    if (!run.has_intervals()) {
        add_iterations(run, measured);
    } else if (!has_round_trips(run)) {
        add_deliveries(trace::delivery_breakdown(run.trace, run.window), messages_of_iteration(run),
                       measured);
    } else {
        add_round_trip(trace::round_trip_breakdown(run.trace, run.window), measured);
    }
    add_throughput(run.pattern().clients, measured);
}

trace::CycleWindow measure_interval(const TracedRun& run, std::size_t batches, bool detects_warm_up,
                                    records::Measured& measured) {
    trace::CycleWindow window = run.window;
    const IterationSeries series = iteration_series(run);
    const statistics::SteadyState state =
        statistics::steady_state(series.cycles, batches, detects_warm_up);
    if (state.warm_up > 0) {
        window.begin = series.ends[state.warm_up];
    }
    const bool has_replies = run.communication() == Communication::kRequestReply;
    measured.interval = steady_interval(iteration_metrics().cycles_per_iteration.name(),
                                        has_replies ? "iterations" : "messages", state);
    measured.interval->measured_from_cycle = window.begin.count();
    return window;
}

}  // namespace weir::experiments::analyses
