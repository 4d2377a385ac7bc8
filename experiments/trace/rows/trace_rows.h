#pragma once

#include <cstdint>
#include <string>

#include "hw/tracing/trace_probe.h"
#include "hw/units.h"

namespace weir::experiments::trace {

// Rows of a trace's tables, documented by trace_schema.h. The other rows are hw::DmaTransfer,
// hw::Stall and hw::ChannelInterval, and for shared memory hw::SharedTransaction,
// hw::CoherenceTrap, hw::SharedAccess and hw::LineState.

/// Message without its words, which traces do not keep.
struct MessageRow {
    hw::MessageId id;
    /// Message whose handler sent this one; invalid if a thread sent it.
    hw::MessageId parent;
    hw::NodeId destination;
    /// Number of argument words, which follow the header and the handler's address.
    std::int64_t argument_words = 0;
    hw::Bytes bytes;       ///< length of the message in the network
    hw::Bytes body_bytes;  ///< part of the length that DMA engines move
    std::int64_t hops = 0;
    hw::Cycles unloaded;
    hw::Cycles launch_blocked;
    std::int64_t restored_words = 0;
    /// Time of each stage; kNever if the stage was not reached or its time is unknown.
    hw::MessageTimes times;

    [[nodiscard]] hw::NodeId source() const { return id.source; }
};

[[nodiscard]] MessageRow row_of(const hw::Message& message);

struct CoreIntervalRow {
    hw::NodeId node;
    hw::CoreState state = hw::CoreState::kCompute;
    hw::Cycles begin;
    hw::Cycles end;
    hw::MessageId message;  ///< handled message; invalid in the thread's states
};

struct QueueLevelRow {
    hw::NodeId node;
    hw::QueueKind queue = hw::QueueKind::kOutput;
    hw::Cycles cycle;
    hw::Bytes bytes;
    std::int64_t messages = 0;
};

/// Contents of a queue during an interval.
struct QueueIntervalRow {
    hw::NodeId node;
    hw::QueueKind queue = hw::QueueKind::kOutput;
    hw::Cycles begin;
    hw::Cycles end;
    /// Sum of bytes over cycles; divided by the interval's length: mean bytes.
    std::int64_t byte_cycles = 0;
    /// Largest contents of the queue that lasted for at least a cycle.
    hw::Bytes most;
};

struct MarkRow {
    hw::NodeId node;
    std::int64_t name = 0;  ///< name of the point, as index into Trace::mark_names
    std::int64_t occurrence = 0;
    hw::Cycles cycle;
    std::int64_t value = 0;
};

}  // namespace weir::experiments::trace
