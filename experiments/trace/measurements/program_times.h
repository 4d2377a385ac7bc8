#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiments/trace/rows/trace.h"
#include "hw/per_node.h"
#include "hw/units.h"

namespace weir::experiments::trace {

/// Times of one message that a program on a real machine can take, with a clock at each node. These
/// are begin and end of the send at the source, and of the handler at the destination. Times of the
/// hardware's stages, and the machine's configuration, are left out on purpose.
struct TimedMessage {
    static constexpr std::size_t kNone = SIZE_MAX;

    hw::NodeId source;
    hw::NodeId destination;
    std::int64_t hops = 0;
    hw::Bytes bytes;
    hw::Bytes body_bytes;
    /// Index of the message whose handler sent this one; kNone if a thread sent it.
    std::size_t request = kNone;
    hw::Cycles send_begin;
    hw::Cycles send_end;
    hw::Cycles handler_begin;
    hw::Cycles handler_end;
    hw::Cycles body_stored;  ///< whole body found in memory; kNever without a body

    // Facts that follow from other times at the same node:

    bool send_was_interrupted = false;  ///< a handler began at the source during the send
    bool interrupted_a_send = false;    ///< the handler began during a send of its node's thread
    bool waited_for_handler = false;    ///< the handler began as another one ended
    std::int64_t reply_cycles = 0;      ///< time of the sends in the handler
    /// Share of time in which the destination was in handlers, shortly before this handler began.
    double load = 0.0;
};

/// Messages of a run with all four times, sorted by source and sequence.
struct ProgramTimes {
    std::int64_t node_count = 0;
    std::vector<TimedMessage> messages;
    /// Indices of a node's messages in the order of time: those that its thread sent, and those
    /// that it handled.
    hw::PerNode<std::vector<std::size_t>> sent_by_thread;
    hw::PerNode<std::vector<std::size_t>> handled;
};

/// `node_count` is that of the trace's machine (stored_node_count()). Throws TraceError.
[[nodiscard]] ProgramTimes program_times(const Trace& trace, std::int64_t node_count);

}  // namespace weir::experiments::trace
