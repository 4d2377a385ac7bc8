#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/trace/exports/cycle_window.h"
#include "experiments/trace/measurements/measurements.h"
#include "experiments/trace/rows/trace.h"
#include "hw/tracing/trace_probe.h"
#include "hw/units.h"

namespace weir::experiments::trace {

// Measurements of messages with a body, which DMA engines move from memory to memory (LoGPC
// Sections 2.2 and 5). All functions throw TraceError.

/// Durations of the messages with a body that have one length in the network. A duration counts in
/// its Summary only for messages that reached both of its stages.
struct LongMessages {
    hw::Bytes message_bytes;
    hw::Bytes body_bytes;
    double mean_hops;
    std::int64_t messages;
    /// Sends of threads with an interrupt between first store and launch; excluded from
    /// send_overhead.
    std::int64_t interrupted_sends;
    /// o_s: time from first store to launch, without the cycles that the launch waited.
    Summary send_overhead;
    /// o_r: time from entering to leaving the interrupt, less the handler's sends (first store to
    /// launch). If handlers wait for their receiving DMA transfers, a transfer that ends inside the
    /// handler is subtracted as well, as waiting time.
    Summary receive_overhead;
    /// Time from launch to the first flit's entry into the input queue.
    Summary first_byte_latency;
    /// Mean first-byte latency of an uncontended message: the header's unloaded latency, less the
    /// shortest time from a first flit's to its header's arrival.
    double mean_unloaded_first_byte_cycles;
    /// Time from the last header flit's arrival to the begin of the receiving DMA transfer.
    Summary header_to_dma;
    /// Time from the first store to the cycle after the last flit left the output queue.
    Summary sender;
    /// Time from launch to the cycle after the last flit left the output queue.
    Summary body_send;
    Summary end_to_end;  ///< time from the first store to the last byte's write to memory
    /// Cycles that flits of the message waited for room in the input queue, stopping the network.
    Summary network_stopped;
    /// Time of the receiving DMA transfer, if the handler waited for it; otherwise 0.
    Summary body_receive;
    Summary send_port_wait;     ///< waits of the sending DMA engine for the memory port
    Summary receive_port_wait;  ///< waits of the receiving DMA engine for the memory port
    /// G: time from the first to the last flit's arrival, per byte after the first. 0 if no tail
    /// arrived.
    double mean_gap_cycles_per_byte;
    /// The least of these times of a message: G without waits in the network.
    double least_gap_cycles_per_byte;
};

/// Measurements of long messages, one entry for each length. The window selects messages whose last
/// byte was written to memory inside it: begin <= receive_dma_end_cycle < end. The trace must have
/// the core intervals of every node whose thread sent such a message.
std::vector<LongMessages> long_messages(const Trace& trace, CycleWindow window = {},
                                        bool handlers_wait = true);

/// Bytes in the receiver's input queue during the arrival of one long message (LoGPC Figure 3).
/// Cycles count from the arrival of its first flit.
struct QueueCourse {
    struct Level {
        hw::Cycles cycle;  ///< first cycle with this number of bytes
        hw::Bytes bytes;
    };
    hw::Bytes message_bytes;
    hw::Cycles header_arrival;
    hw::Cycles dma_begin;  ///< begin of the receiving DMA transfer
    hw::Cycles tail_arrival;
    hw::Cycles dma_end;
    /// All changes of the queue's contents from the first flit to the end of the DMA transfer.
    std::vector<Level> levels;

    [[nodiscard]] hw::Bytes peak() const;
    /// Rate at which the queue's contents fall over the bursts before the DMA engine first waits
    /// for bytes. The result is nullopt if fewer than three bursts follow the first without a wait.
    [[nodiscard]] std::optional<double> drained_bytes_per_cycle() const;
    /// Length of the shortest message whose DMA transfer catches up with the network before its
    /// tail arrives. The length is computed from the mean arrival rate and the time of the engine's
    /// first wait for bytes. The result is nullopt if the engine never waited.
    [[nodiscard]] std::optional<hw::Bytes> crossover_bytes() const;
    /// Levels up to the cycle in which the DMA engine has caught up with the network and first
    /// waits for bytes.
    [[nodiscard]] std::vector<Level> until_caught_up() const;

  private:
    /// Levels after each whole burst before the DMA engine first waits for bytes.
    [[nodiscard]] std::vector<Level> bursts_without_wait() const;
    [[nodiscard]] bool catches_up() const;
};

/// Input queue during the first message that long_messages() would count and whose destination has
/// traced queue levels. The result is nullopt if there is no such message.
std::optional<QueueCourse> input_queue_course(const Trace& trace, CycleWindow window = {});

}  // namespace weir::experiments::trace
