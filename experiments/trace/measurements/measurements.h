#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/trace/exports/cycle_window.h"
#include "experiments/trace/measurements/maybe_cycles.h"
#include "experiments/trace/rows/trace.h"
#include "hw/tracing/trace_probe.h"
#include "hw/units.h"
#include "network/traffic/cycle_histogram.h"

namespace weir::experiments::trace {

// Measurements of a trace from its rows alone. These measurements apply also to foreign traces with
// the tables of trace_schema.h. A window selects the messages whose handling ended inside it: begin
// <= handler_end_cycle < end. Messages that were never handled do not count. Results are ordered by
// their first fields. All functions throw TraceError.

/// Number of durations, with their mean and extremes. All members are 0 if there are no durations.
struct Summary {
    std::int64_t count = 0;
    double mean_cycles = 0;
    hw::Cycles minimum;
    hw::Cycles maximum;
};

/// LogP parameters of the short messages of one length. Messages with a body are measured by
/// long_messages.h.
struct LogpParameters {
    /// Number of argument words, which follow the header and the handler's address.
    std::int64_t argument_words;
    hw::Bytes message_bytes;  ///< length of the message in the network
    std::int64_t messages;
    /// Sends of threads with an interrupt between first store and launch; excluded from
    /// send_overhead.
    std::int64_t interrupted_sends;
    /// o_s: time from first store to launch, without the cycles that the launch waited for the
    /// output queue.
    Summary send_overhead;
    /// o_r: time from entering to leaving the interrupt, including the handler's sends.
    Summary receive_overhead;
    /// o_r without the handler's sends (first store to launch of each).
    Summary receive_overhead_without_sends;
    /// L: time from launch until the destination's controller is ready to interrupt.
    Summary latency;
    double mean_latency_without_hops_cycles;  ///< mean of L minus one cycle per hop
    double mean_unloaded_latency_cycles;      ///< L minus the waits in the network
};

/// LogP parameters, measured for each length of messages. The trace must have the core intervals of
/// every node whose thread sent such a message. If the trace lacks the table core_intervals,
/// every send of a thread counts as possibly interrupted.
std::vector<LogpParameters> logp_parameters(const Trace& trace, CycleWindow window = {});

/// Distribution of L over short messages of all lengths.
network::CycleHistogram latencies(const Trace& trace, CycleWindow window = {});

/// Times between consecutive launches, or consecutive entries into the interrupt, at a node. The
/// window selects the later event's message; the earlier event may be outside.
struct Gaps {
    struct AtNode {
        hw::NodeId node;
        Summary gap;
    };
    Summary sender;    ///< time between launches, over all nodes
    Summary receiver;  ///< time between entries into the interrupt, over all nodes
    std::vector<AtNode> sender_by_node;
    std::vector<AtNode> receiver_by_node;
};

Gaps gaps(const Trace& trace, CycleWindow window = {});

/// Time that a core was in a state inside the window. Intervals are cut at the window's edges.
/// States that never occurred have no row.
struct CoreStateShare {
    hw::NodeId node;
    std::string state;  ///< hw::core_state_name
    hw::Cycles total;
    double share;  ///< share of the node's recorded cycles in the window
};

std::vector<CoreStateShare> core_state_share(const Trace& trace, CycleWindow window = {});

/// First and last passage of a named point by a node's thread.
struct MarkSpan {
    hw::NodeId node;
    std::int64_t occurrences;
    hw::Cycles first;
    hw::Cycles last;
};

/// Time at which the last message reached a stage; empty if no message reached it.
std::optional<hw::Cycles> last_time(const Trace& trace, hw::Cycles hw::MessageTimes::*stage);

/// First and last passages of the mark `name`, by node. Throws TraceError if no node passed the
/// mark.
std::vector<MarkSpan> mark_spans(const Trace& trace, std::string_view name);
std::vector<std::string> mark_names(const Trace& trace);

// For use by other measurements:

/// Summary of durations that are added one by one. Unknown durations do not count.
class Summarized {
  public:
    void add(MaybeCycles duration);
    [[nodiscard]] Summary summary() const;

  private:
    std::int64_t count_ = 0;
    CycleTotal sum_;
    std::int64_t minimum_ = 0;
    std::int64_t maximum_ = 0;
};

/// Cycles that the handler of each message spent in sends (first store to launch), in the messages'
/// order.
std::vector<std::int64_t> handler_send_cycles(const Trace& trace);

/// True if an interrupt fell between a thread's first store and the launch of the message. False
/// for messages that a handler sent. Throws TraceError if the sender has no core intervals.
bool send_was_interrupted(const Trace& trace, IntervalCursor& intervals, const MessageRow& message);

/// Throws TraceError if a node has no core intervals, which the measurement `what` needs.
void require_core_intervals(const Trace& trace, hw::NodeId node, std::string_view what);

}  // namespace weir::experiments::trace
