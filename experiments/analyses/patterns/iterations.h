#pragma once

#include <optional>

#include "experiments/analyses/traced_run.h"
#include "experiments/records/measured.h"
#include "experiments/records/result.h"

namespace weir::experiments::analyses {

/// What an iteration is: a request with its reply, or a message of which all nodes' cycles are
/// shared out.
struct IterationMetrics final : records::MetricGroup {
    records::Metric cycles_per_iteration{
        *this, "cycles_per_iteration", "cycles",
        "A node's time from one request to the next, or all nodes' time for each message handled",
        "LoPC Section 3.1; LoGPC Section 5.1"};
    records::Metric iterations_measured{*this, "iterations_measured", "1",
                                        "Round trips inside the measured time"};
    records::Metric network_contention_cycles{
        *this, "network_contention_cycles", "cycles",
        "What a message waits in the network, of requests and replies alike", "LoGPC C_n"};
    records::Metric processor_contention_cycles{
        *this, "processor_contention_cycles", "cycles",
        "What a round trip waits for processors: interference and both queueings", "LoPC C"};
    records::Metric interference_cycles{*this, "interference_cycles", "cycles",
                                        "What handlers take from a node's own thread, an iteration",
                                        "LoPC R_w - W"};
    records::Metric request_queueing_cycles{*this, "request_queueing_cycles", "cycles",
                                            "What a request waits for its handler",
                                            "LoPC R_q - S_o"};
    records::Metric reply_queueing_cycles{*this, "reply_queueing_cycles", "cycles",
                                          "What a reply waits for its handler", "LoPC R_y - S_o"};
    records::Metric requests_per_cycle{*this, "requests_per_cycle", "1/cycle",
                                       "Requests of all clients together", "LoPC Section 5"};
    records::Metric blocked_cycles{*this, "blocked_cycles", "cycles",
                                   "What a full output queue holds up, an iteration or a node"};
    records::Metric saves_cycles{
        *this, "saves_cycles", "cycles",
        "What handlers take to save and restore a half-composed message, an iteration",
        "LoGPC Section 5.1.2"};
};
const IterationMetrics& iteration_metrics();

/// Where iterations' time went, and what models are asked with of it. Of a trace that does not say
/// what cores did, what iterations took.
void measure_iterations(const TracedRun& run, records::Measured& measured);

/// Whether iterations are what the program is measured by.
[[nodiscard]] bool has_iterations(firmware::Communication communication);

/// Total of the parts of a point's round trip, as it was measured by itself; nothing where
/// only their sum says it.
[[nodiscard]] std::optional<double> whole_round_trip(const records::PointResult& point);

/// How sure cycles_per_iteration is, from batches of iterations, and the window behind the warm-up
/// where one is to be found.
[[nodiscard]] trace::CycleWindow measure_interval(const TracedRun& run, std::size_t batches,
                                                  bool detects_warm_up,
                                                  records::Measured& measured);

}  // namespace weir::experiments::analyses
