#pragma once

#include <cstdint>
#include <string>

#include "hw/tracing/trace_probe.h"
#include "hw/units.h"

namespace weir::experiments::trace {

// A row of each of a trace's tables, as trace_schema.h documents them. DMA transfers, stalls and
// what channels see are hw::DmaTransfer, hw::Stall and hw::ChannelInterval; of shared memory,
// hw::SharedTransaction, hw::CoherenceTrap, hw::SharedAccess and hw::LineState.

/// A message without its words, which no trace keeps.
struct MessageRow {
    hw::MessageId id;
    hw::MessageId
        parent;  ///< the message whose handler sent this one; invalid for the thread's own
    hw::NodeId destination;
    std::int64_t argument_words = 0;  ///< after the header and the handler's address
    hw::Bytes bytes;                  ///< on the wire
    hw::Bytes body_bytes;             ///< of these, what DMA engines move
    std::int64_t hops = 0;
    hw::Cycles unloaded;
    hw::Cycles launch_blocked;
    std::int64_t restored_words = 0;
    hw::MessageTimes times;  ///< kNever where a stage was not reached, or its time not taken

    [[nodiscard]] hw::NodeId source() const { return id.source; }
};

[[nodiscard]] MessageRow row_of(const hw::Message& message);

struct CoreIntervalRow {
    hw::NodeId node;
    hw::CoreState state = hw::CoreState::kCompute;
    hw::Cycles begin;
    hw::Cycles end;
    hw::MessageId message;  ///< the one handled; invalid in the thread's states
};

struct QueueLevelRow {
    hw::NodeId node;
    hw::QueueKind queue = hw::QueueKind::kOutput;
    hw::Cycles cycle;
    hw::Bytes bytes;
    std::int64_t messages = 0;
};

/// What a queue held from one cycle to another.
struct QueueIntervalRow {
    hw::NodeId node;
    hw::QueueKind queue = hw::QueueKind::kOutput;
    hw::Cycles begin;
    hw::Cycles end;
    std::int64_t byte_cycles = 0;  ///< over the interval's length the mean bytes
    hw::Bytes most;                ///< bytes that it held for a cycle at least
};

struct MarkRow {
    hw::NodeId node;
    std::int64_t name = 0;  ///< in Trace::mark_names
    std::int64_t occurrence = 0;
    hw::Cycles cycle;
    std::int64_t value = 0;
};

}  // namespace weir::experiments::trace
