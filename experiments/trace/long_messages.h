#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/trace/cycle_window.h"
#include "experiments/trace/measurements.h"
#include "experiments/trace/trace_database.h"
#include "hw/trace_probe.h"
#include "hw/units.h"

namespace weir::experiments::trace {

// What a trace says of messages with a body, which DMA engines move from memory to memory (LoGPC
// Sections 2.2 and 5), by SQL alone. All throw TraceError.

/// What the messages with a body of one length on the wire took. A duration whose stages a message
/// has not passed does not count in its Summary.
struct LongMessages {
    hw::Bytes message_bytes;
    std::int64_t messages;
    /// Thread's sends with an interrupt between their first store and the launch; not in o_s.
    std::int64_t interrupted_sends;
    /// o_s: first store to launch, without the cycles the launch waited.
    Summary send_overhead;
    /// o_r: the core enters to the core leaves the interrupt, less what its handler sent, first
    /// store to launch. A handler that ends no earlier than its receiving DMA is taken to have
    /// waited for it, and the whole transfer is left out: what it did meanwhile counts as waiting.
    /// Of one that ends before, nothing is left out.
    Summary receive_overhead;
    Summary first_byte_latency;  ///< launch to the first flit in the input queue
    Summary header_to_dma;       ///< last header flit's arrival to the receiving DMA's begin
    /// First store to the cycle after the last flit left the output queue.
    Summary sender;
    Summary end_to_end;        ///< first store to the last byte in memory
    Summary drain_after_tail;  ///< last flit's arrival to the last byte in memory
    /// Cycles its flits waited for room in the input queue, and with them the network behind.
    Summary network_stopped;
    Summary send_port_wait;     ///< of the sending DMA, for the memory port
    Summary receive_port_wait;  ///< of the receiving DMA
    /// G: first to last flit's arrival, over the bytes after the first; 0 where no tail arrived.
    double mean_gap_cycles_per_byte;
};

/// By length. The window takes the messages whose last byte came into memory inside it: begin <=
/// receive_dma_end_cycle < end. Needs the core intervals of every node whose thread sent one.
std::vector<LongMessages> long_messages(const TraceDatabase& trace, CycleWindow window = {});

/// What stopped at a node for want of room. Stalls that reach over the window's edges are cut
/// there.
struct StallTotal {
    hw::NodeId node;
    std::string place;  ///< hw::stall_place_name
    std::int64_t stalls;
    hw::Cycles total;
};

/// By node and place; where nothing stopped is no row.
std::vector<StallTotal> stall_totals(const TraceDatabase& trace, CycleWindow window = {});

/// The most that such a queue of any node held; nothing where queues were not traced.
std::optional<hw::Bytes> peak_queue_bytes(const TraceDatabase& trace, hw::QueueKind queue);

}  // namespace weir::experiments::trace
