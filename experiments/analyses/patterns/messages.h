#pragma once

#include "experiments/analyses/latency_percentiles.h"
#include "experiments/analyses/traced_run.h"
#include "experiments/records/measured.h"

namespace weir::experiments::analyses {

/// Metrics of the messages of any program.
struct MessageMetrics final : records::MetricGroup {
    MessageMetrics();

    /// Overheads: a metric for each number of argument words.
    records::MetricFamily send_overhead_cycles;
    records::MetricFamily receive_overhead_cycles;
    records::Metric latency_cycles{*this, "latency_cycles", "cycles",
                                   "Time from the end of a short message's launch to the "
                                   "receiver's interrupt, contention included",
                                   "LoGPC Table 1: L"};
    LatencyPercentiles latency_percentiles{*this, "latency", "short messages"};
    records::Metric latency_without_hops_cycles{
        *this, "latency_without_hops_cycles", "cycles",
        "latency_cycles less one cycle for each hop of the message"};
    records::Metric messages_measured{*this, "messages_measured", "1",
                                      "Number of messages handled in the measured window"};
    records::Metric handler_cycles{*this, "handler_cycles", "cycles",
                                   "Mean time of a handler from its interrupt to its end",
                                   "LoPC Section 3.1.2: S_o"};
    records::Metric sender_gap_cycles{*this, "sender_gap_cycles", "cycles",
                                      "Shortest time between two message launches of a node",
                                      "LogP: g at a sender"};
    records::Metric receiver_gap_cycles{*this, "receiver_gap_cycles", "cycles",
                                        "Shortest time between two messages handled by a node",
                                        "LogP: g at a receiver"};
};
inline const MessageMetrics& message_metrics() { return records::declared<MessageMetrics>(); }

/// Measures L, o_s, o_r and g from the trace, and inputs of models.
void measure_messages(const TracedRun& run, records::Measured& measured);

}  // namespace weir::experiments::analyses
