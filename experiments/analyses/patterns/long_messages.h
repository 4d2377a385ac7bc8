#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "experiments/analyses/traced_run.h"
#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::analyses {

/// Of messages with bodies, which DMA engines move.
struct LongMessageMetrics final : records::MetricGroup {
    records::Metric long_send_overhead_cycles{*this, "long_send_overhead_cycles", "cycles",
                                              "A send of a message with a body, to the end of its "
                                              "launch",
                                              "LoGPC Table 2: o_sl"};
    records::Metric long_receive_overhead_cycles{*this, "long_receive_overhead_cycles", "cycles",
                                                 "From the interrupt of a message with a body to "
                                                 "the start of its DMA",
                                                 "LoGPC Table 2: o_rl"};
    records::Metric first_byte_latency_cycles{*this, "first_byte_latency_cycles", "cycles",
                                              "From the end of the launch to the first byte at the "
                                              "other end",
                                              "LoGPC Table 2: L"};
    records::Metric header_to_dma_cycles{*this, "header_to_dma_cycles", "cycles",
                                         "From the header's arrival to the start of the DMA",
                                         "LoGPC Figure 3"};
    records::Metric network_stopped_cycles{*this, "network_stopped_cycles", "cycles",
                                           "How long the receiver's input queue had no room for a "
                                           "message, which stopped the network behind it",
                                           "LoGPC Figure 3"};
    records::Metric gap_cycles_per_byte{*this, "gap_cycles_per_byte", "cycles/byte",
                                        "A byte's time on the way, of the longest messages",
                                        "LoGPC Table 2: G"};
    records::Metric iteration_cycles_per_byte{*this, "iteration_cycles_per_byte", "cycles/byte",
                                              "cycles_per_iteration by the bytes of a body",
                                              "LoGPC Section 5.1.3"};
};
const LongMessageMetrics& long_message_metrics();

/// One long message's whole trip, with nothing else at work.
struct SingleMessageMetrics final : records::MetricGroup {
    records::Metric sender_cycles{*this, "sender_cycles", "cycles",
                                  "From the first store to the last byte in the network",
                                  "LoGPC Figure 4"};
    records::Metric end_to_end_cycles{*this, "end_to_end_cycles", "cycles",
                                      "From the first store to the whole body in the receiver's "
                                      "memory",
                                      "LoGPC (2)"};
    records::Metric bandwidth_bytes_per_cycle{*this, "bandwidth_bytes_per_cycle", "bytes/cycle",
                                              "The message's bytes by end_to_end_cycles",
                                              "LoGPC Figure 5"};
    records::Metric input_queue_peak_bytes{*this, "input_queue_peak_bytes", "bytes",
                                           "The most bytes in the receiver's input queue",
                                           "LoGPC Figure 3"};
    records::Metric input_queue_drained_bytes_per_cycle{
        *this, "input_queue_drained_bytes_per_cycle", "bytes/cycle",
        "What the receiver's input queue falls by in a cycle while the DMA catches up",
        "LoGPC Figure 3"};
    records::Metric crossover_bytes{*this, "crossover_bytes", "bytes",
                                    "The message from which on the DMA has caught up with the "
                                    "network before the tail arrives",
                                    "LoGPC Section 2.2"};
};
const SingleMessageMetrics& single_message_metrics();

/// LoGPC Table 2, over messages with a body of any length, and what models are asked with; of a
/// program of one message, its whole trip, and the course of the input queue as the entry
/// "input_queue".
void measure_long_messages(const TracedRun& run, records::Measured& measured);

/// The bytes in a receiver's input queue by cycle since a message's first one arrived, as a point's
/// result holds them; empty of other programs.
[[nodiscard]] std::vector<std::pair<std::int64_t, std::int64_t>> input_queue(
    const records::PointResult& point);

/// Of programs of one message: a table, and the course of the input queue. Nothing of others.
[[nodiscard]] std::optional<records::Section> long_messages_section(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::analyses
