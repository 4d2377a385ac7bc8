#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "experiments/trace/database/trace_database.h"
#include "hw/units.h"

namespace weir::experiments::kinds {

/// A message of a stored trace: what it was, and what the processors at its ends did with it. Their
/// times are from `taken`, when its receiver was free for it: it had been notified, the message
/// before it had left the input queue, and that one's handler had ended.
struct RecordedMessage {
    static constexpr std::size_t kNone = SIZE_MAX;

    hw::NodeId source;
    hw::NodeId destination;
    std::int32_t argument_words = 0;
    hw::Bytes body_bytes;
    hw::Cycles launch;
    hw::Cycles launch_blocked;     ///< of these cycles, waited for room in the output queue
    std::size_t parent = kNone;    ///< the message whose handler sent it; none of the thread's own
    std::size_t consumed = kNone;  ///< that its source had handled last when it launched it

    hw::Cycles taken;
    hw::Cycles store_body;   ///< the receiving engine was set up
    hw::Cycles body_stored;  ///< its last byte was in memory
    hw::Cycles dispose;      ///< it left the input queue
    hw::Cycles handler_end;
    std::vector<std::size_t> sent;  ///< by its handler, in order

    [[nodiscard]] hw::Cycles end() const { return taken + handler_end; }
};

/// The messages of a stored trace that were launched.
struct Recording {
    /// In the order of their sources, and of each source's launches.
    std::vector<RecordedMessage> messages;
    hw::Cycles cycles;            ///< to the end of the last handler
    double latency_cycles = 0.0;  ///< of the short messages, launch to notify, the mean

    /// The indices of a source's messages: the first, and the one behind the last.
    [[nodiscard]] std::pair<std::size_t, std::size_t> messages_of(hw::NodeId source) const;

    /// Of a trace that has been looked at (trace::open_foreign_trace()).
    static Recording read(const trace::TraceDatabase& trace);
};

/// What a machine must have for a trace's messages.
struct RecordingNeeds {
    std::int64_t nodes = 0;
    hw::Bytes longest_body;

    /// Throws trace::TraceError when the trace has no messages, or one that no controller could
    /// launch.
    static RecordingNeeds of(const trace::TraceDatabase& trace);
};

}  // namespace weir::experiments::kinds
