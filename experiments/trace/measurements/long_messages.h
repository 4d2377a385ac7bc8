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

// What a trace says of messages with a body, which DMA engines move from memory to memory (LoGPC
// Sections 2.2 and 5). All throw TraceError.

/// What the messages with a body of one length on the wire took. A duration whose stages a message
/// has not passed does not count in its Summary.
struct LongMessages {
    hw::Bytes message_bytes;
    hw::Bytes body_bytes;
    double mean_hops;
    std::int64_t messages;
    /// Thread's sends with an interrupt between their first store and the launch; not in o_s.
    std::int64_t interrupted_sends;
    /// o_s: first store to launch, without the cycles the launch waited.
    Summary send_overhead;
    /// o_r: the core enters to the core leaves the interrupt, less what its handler sent, first
    /// store to launch. Where handlers wait for their receiving DMA, the whole transfer is left out
    /// of one that ends no earlier: what it did meanwhile counts as waiting.
    Summary receive_overhead;
    Summary first_byte_latency;  ///< launch to the first flit in the input queue
    /// The same with nothing in the way: as much shorter than the header's unloaded latency as the
    /// quickest header was to follow its first flit.
    double mean_unloaded_first_byte_cycles;
    Summary header_to_dma;  ///< last header flit's arrival to the receiving DMA's begin
    /// First store to the cycle after the last flit left the output queue.
    Summary sender;
    Summary end_to_end;  ///< first store to the last byte in memory
    /// Cycles its flits waited for room in the input queue, and with them the network behind.
    Summary network_stopped;
    Summary send_port_wait;     ///< of the sending DMA, for the memory port
    Summary receive_port_wait;  ///< of the receiving DMA
    /// G: first to last flit's arrival, over the bytes after the first; 0 where no tail arrived.
    double mean_gap_cycles_per_byte;
};

/// By length. The window takes the messages whose last byte came into memory inside it: begin <=
/// receive_dma_end_cycle < end. Needs the core intervals of every node whose thread sent one.
std::vector<LongMessages> long_messages(const Trace& trace, CycleWindow window = {},
                                        bool handlers_wait = true);

/// The bytes in the receiver's input queue while one long message passes through it (LoGPC Figure
/// 3); cycles count from the arrival of its first flit.
struct QueueCourse {
    struct Level {
        hw::Cycles cycle;  ///< from which on the queue held so much
        hw::Bytes bytes;
    };
    hw::Bytes message_bytes;
    hw::Cycles header_arrival;
    hw::Cycles dma_begin;  ///< of the receiving engine
    hw::Cycles tail_arrival;
    hw::Cycles dma_end;
    std::vector<Level> levels;  ///< every change from the first flit to the engine's end

    [[nodiscard]] hw::Bytes peak() const;
    /// How fast the level falls from burst to burst while the engine never waits for bytes; nothing
    /// where it takes fewer than three bursts without a wait.
    [[nodiscard]] std::optional<double> drained_bytes_per_cycle() const;
    /// The shortest message whose DMA has caught up with the network when its tail arrives: what
    /// had arrived, at the message's mean rate, when the engine first waited for bytes. Nothing
    /// where it never did.
    [[nodiscard]] std::optional<hw::Bytes> crossover_bytes() const;
    /// The part up to the cycle in which the engine, which has caught up, first waits for bytes.
    [[nodiscard]] std::vector<Level> until_caught_up() const;

  private:
    /// Whole bursts, as changes of the level, before the engine first waits.
    [[nodiscard]] std::vector<Level> bursts_without_wait() const;
    [[nodiscard]] bool catches_up() const;
};

/// Of the first message in the window, as long_messages() takes it, at a node whose queue levels
/// were traced; nothing where there is none.
std::optional<QueueCourse> input_queue_course(const Trace& trace, CycleWindow window = {});

}  // namespace weir::experiments::trace
