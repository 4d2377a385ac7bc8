#pragma once

#include <optional>

#include "experiments/records/measured.h"
#include "experiments/records/result.h"
#include "experiments/trace/exports/cycle_window.h"
#include "firmware/kernel.h"

namespace weir::experiments::analyses {

struct TracedRun;

/// Metrics of iterations. An iteration is a request with its reply, or, without replies, a handled
/// message. If no thread waits for each reply, the cycles of all nodes are divided among these.
struct IterationMetrics final : records::MetricGroup {
    records::Metric cycles_per_iteration{
        *this, "cycles_per_iteration", "cycles",
        "Time of a node from one request to the next. If threads do not wait for each reply: "
        "cycles "
        "of all nodes divided by the requests answered or messages handled",
        "LoPC Section 3.1; LoGPC Section 5.1"};
    records::Metric iterations_measured{
        *this, "iterations_measured", "1",
        "Number of round trips of all nodes in the measured window"};
    records::Metric network_contention_cycles{
        *this, "network_contention_cycles", "cycles",
        "Time that a message waits in the network, mean of requests and replies", "LoGPC C_n"};
    records::Metric processor_contention_cycles{
        *this, "processor_contention_cycles", "cycles",
        "Time of a round trip spent waiting for processors: interference, request queueing and "
        "reply queueing",
        "LoPC C"};
    records::Metric interference_cycles{
        *this, "interference_cycles", "cycles",
        "Time of handlers that interrupt the requesting node's own thread, per iteration",
        "LoPC R_w - W"};
    records::Metric request_queueing_cycles{
        *this, "request_queueing_cycles", "cycles",
        "Time that an arrived request waits for the start of its handler", "LoPC R_q - S_o"};
    records::Metric reply_queueing_cycles{
        *this, "reply_queueing_cycles", "cycles",
        "Time that an arrived reply waits for the start of its handler", "LoPC R_y - S_o"};
    records::Metric requests_per_cycle{*this, "requests_per_cycle", "1/cycle",
                                       "Requests of all clients per cycle", "LoPC Section 5"};
    records::Metric blocked_cycles{*this, "blocked_cycles", "cycles",
                                   "Time blocked by a full output queue, per iteration (per node "
                                   "if the program has no iterations)"};
    records::Metric saves_cycles{
        *this, "saves_cycles", "cycles",
        "Time in which handlers save and restore a partly composed message, per iteration",
        "LoGPC Section 5.1.2"};
};
inline const IterationMetrics& iteration_metrics() { return records::declared<IterationMetrics>(); }

/// Measures parts of the iterations' time, and inputs of models. From a trace without core
/// intervals, measures the iterations' time only.
void measure_iterations(const TracedRun& run, records::Measured& measured);

/// Whether a program with this communication is measured by iterations.
[[nodiscard]] bool has_iterations(firmware::Communication communication);

/// Total of a point's round trip if it was measured independently of its parts; empty if only the
/// sum of the parts gives it.
[[nodiscard]] std::optional<double> whole_round_trip(const records::PointResult& point);

/// Measures the confidence interval of cycles_per_iteration, from batches of iterations. Returns
/// the window, after the warm-up if that is to be detected.
[[nodiscard]] trace::CycleWindow measure_interval(const TracedRun& run, std::size_t batches,
                                                  bool detects_warm_up,
                                                  records::Measured& measured);

}  // namespace weir::experiments::analyses
