#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "experiments/trace/database/trace_database.h"
#include "hw/units.h"

namespace weir::experiments::kinds {

/// A message of a stored trace, with the times of its sender and receiver. The receiver's times
/// count from `taken`, the cycle from which the receiver could take the message. By then the
/// receiver had been notified, and the previous message's handler had ended and freed the input
/// queue.
struct RecordedMessage {
    static constexpr std::size_t kNone = SIZE_MAX;

    hw::NodeId source;
    hw::NodeId destination;
    std::int32_t argument_words = 0;
    hw::Bytes body_bytes;
    hw::Cycles launch;
    hw::Cycles launch_blocked;     ///< time that the launch waited for room in the output queue
    std::size_t parent = kNone;    ///< message whose handler sent this one; kNone: sent by a thread
    std::size_t consumed = kNone;  ///< message that its source had last handled at the launch

    hw::Cycles taken;
    hw::Cycles store_body;   ///< time when the receiving DMA engine is set up
    hw::Cycles body_stored;  ///< time when the body's last byte is in memory
    hw::Cycles dispose;      ///< time when the message leaves the input queue
    hw::Cycles handler_end;
    std::vector<std::size_t> sent;  ///< messages that its handler sent, in order

    [[nodiscard]] hw::Cycles end() const { return taken + handler_end; }
};

/// Launched messages of a stored trace.
struct Recording {
    /// Sorted by source, and for each source by launch.
    std::vector<RecordedMessage> messages;
    hw::Cycles cycles;            ///< cycle in which the last handler of the recorded run ends
    double latency_cycles = 0.0;  ///< mean time of short messages from launch to notification

    /// Range of a source's messages: index of the first, and index after the last.
    [[nodiscard]] std::pair<std::size_t, std::size_t> messages_of(hw::NodeId source) const;

    /// Reads a trace that trace::open_foreign_trace() has checked.
    static Recording read(const trace::TraceDatabase& trace);
};

/// Number of nodes and size of memory that a machine needs for a trace's messages.
struct RecordingNeeds {
    std::int64_t nodes = 0;
    hw::Bytes longest_body;

    /// Throws trace::TraceError for a trace without messages, or with one that no controller can
    /// launch.
    static RecordingNeeds of(const trace::TraceDatabase& trace);
};

}  // namespace weir::experiments::kinds
