#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "experiments/analyses/traced_run.h"
#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::analyses {

/// Metrics of messages with bodies, which DMA engines move.
struct LongMessageMetrics final : records::MetricGroup {
    records::Metric long_send_overhead_cycles{*this, "long_send_overhead_cycles", "cycles",
                                              "Time from a long message's first store to the end "
                                              "of its launch, without waits of the launch",
                                              "LoGPC Table 2: o_sl"};
    records::Metric long_receive_overhead_cycles{
        *this, "long_receive_overhead_cycles", "cycles",
        "Processor time of a long message's interrupt and handler, without the handler's own sends",
        "LoGPC Table 2: o_rl"};
    records::Metric first_byte_latency_cycles{
        *this, "first_byte_latency_cycles", "cycles",
        "Time from the end of a long message's launch to the arrival of its first byte",
        "LoGPC Table 2: L"};
    records::Metric header_to_dma_cycles{
        *this, "header_to_dma_cycles", "cycles",
        "Time from the arrival of a long message's header to the start of the receiving DMA",
        "LoGPC Figure 3"};
    records::Metric network_stopped_cycles{*this, "network_stopped_cycles", "cycles",
                                           "Time that a long message's flits wait in the network "
                                           "for room in the receiver's input queue",
                                           "LoGPC Figure 3"};
    records::Metric gap_cycles_per_byte{*this, "gap_cycles_per_byte", "cycles/byte",
                                        "Time per byte of the longest messages: from the first to "
                                        "the last flit's arrival, divided by their bytes",
                                        "LoGPC Table 2: G"};
    records::Metric iteration_cycles_per_byte{
        *this, "iteration_cycles_per_byte", "cycles/byte",
        "Time per byte: cycles_per_iteration divided by the bytes of a body",
        "LoGPC Section 5.1.3"};
};
inline const LongMessageMetrics& long_message_metrics() {
    return records::declared<LongMessageMetrics>();
}

/// Metrics of a single long message on an otherwise idle machine.
struct SingleMessageMetrics final : records::MetricGroup {
    records::Metric sender_cycles{*this, "sender_cycles", "cycles",
                                  "Time from the sender's first store into its controller to the "
                                  "last byte's entry into the network",
                                  "LoGPC Figure 4"};
    records::Metric end_to_end_cycles{*this, "end_to_end_cycles", "cycles",
                                      "Time from the sender's first store into its controller to "
                                      "the last byte's arrival in the receiver's memory",
                                      "LoGPC (2)"};
    records::Metric bandwidth_bytes_per_cycle{
        *this, "bandwidth_bytes_per_cycle", "bytes/cycle",
        "Bandwidth: bytes of the message divided by end_to_end_cycles", "LoGPC Figure 5"};
    records::Metric input_queue_peak_bytes{*this, "input_queue_peak_bytes", "bytes",
                                           "Largest number of bytes in the receiver's input queue",
                                           "LoGPC Figure 3"};
    records::Metric input_queue_drained_bytes_per_cycle{
        *this, "input_queue_drained_bytes_per_cycle", "bytes/cycle",
        "Rate at which the receiver's input queue drains while the DMA catches up",
        "LoGPC Figure 3"};
    records::Metric crossover_bytes{
        *this, "crossover_bytes", "bytes",
        "Message length from which the DMA catches up with the network before the tail arrives",
        "LoGPC Section 2.2"};
};
inline const SingleMessageMetrics& single_message_metrics() {
    return records::declared<SingleMessageMetrics>();
}

/// Measures LoGPC Table 2 over messages with a body of any length, and inputs of models. For a
/// program with a single message, also measures its whole trip, and the course of the input queue
/// as the entry "input_queue".
void measure_long_messages(const TracedRun& run, records::Measured& measured);

/// Pairs of cycle, since the first byte's arrival, and bytes in the receiver's input queue, from a
/// point's result; empty for other programs.
[[nodiscard]] std::vector<std::pair<std::int64_t, std::int64_t>> input_queue(
    const records::PointResult& point);

/// Table and course of the input queue for programs with a single message; absent for others.
[[nodiscard]] std::optional<records::Section> long_messages_section(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::analyses
