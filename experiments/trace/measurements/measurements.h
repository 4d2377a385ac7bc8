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

// What a trace says of the machine, by its rows alone, so that a trace from elsewhere with the
// tables of trace_schema.h is measured alike. A window takes the messages whose handling ended
// inside it: begin <= handler_end_cycle < end. Messages never handled are never counted. Rows are
// ordered by their first fields. All throw TraceError.

/// A number of durations and their mean and extremes; all 0 if there were none.
struct Summary {
    std::int64_t count = 0;
    double mean_cycles = 0;
    hw::Cycles minimum;
    hw::Cycles maximum;
};

/// LogP's parameters as the short messages of one length had them. Messages with a body have none
/// of these; long_messages.h measures them.
struct LogpParameters {
    std::int64_t argument_words;  ///< after the header and the handler's address
    hw::Bytes message_bytes;      ///< on the wire
    std::int64_t messages;
    /// Thread's sends with an interrupt between their first store and the launch; not in o_s.
    std::int64_t interrupted_sends;
    /// o_s: first store to launch, without the cycles the launch waited for the output queue.
    Summary send_overhead;
    /// o_r: the core enters to the core leaves the interrupt, with all that its handler sends.
    Summary receive_overhead;
    /// The same without its handler's sends, first store to launch.
    Summary receive_overhead_without_sends;
    /// L: launch to the controller's readiness to interrupt at the other end.
    Summary latency;
    double mean_latency_without_hops_cycles;  ///< L less a cycle a hop
    double mean_unloaded_latency_cycles;      ///< L less what was waited for in the network
};

/// Needs the core intervals of every node whose thread sent one of the messages; in a trace without
/// the table of them, every send of a thread's may have been interrupted.
std::vector<LogpParameters> logp_parameters(const Trace& trace, CycleWindow window = {});

/// L of every short message, whatever its length.
network::CycleHistogram latencies(const Trace& trace, CycleWindow window = {});

/// Time from one event at a node to the next of its kind. The window takes the later event's
/// message; the earlier one is its true predecessor, inside or not.
struct Gaps {
    struct AtNode {
        hw::NodeId node;
        Summary gap;
    };
    Summary sender;    ///< between launches, all nodes
    Summary receiver;  ///< between entries into the interrupt, all nodes
    std::vector<AtNode> sender_by_node;
    std::vector<AtNode> receiver_by_node;
};

Gaps gaps(const Trace& trace, CycleWindow window = {});

/// How long messages were in a queue: in the output queue from the launch to the last flit's
/// leaving, in the input queue from the first flit's arrival to the disposal; a flit that leaves or
/// arrives in cycle t changes its queue in t + 1. By Little's law the
/// sum over the whole run is the integral over time of the queue's number of messages.
struct QueueResidence {
    hw::NodeId node;
    hw::QueueKind queue;
    std::int64_t messages;
    hw::Cycles total;
};

std::vector<QueueResidence> queue_residence(const Trace& trace, CycleWindow window = {});

/// How long a core was in a state inside the window: intervals that reach over its edges are cut
/// there. States it never was in have no row.
struct CoreStateShare {
    hw::NodeId node;
    std::string state;  ///< hw::core_state_name
    hw::Cycles total;
    double share;  ///< of the node's cycles in all states
};

std::vector<CoreStateShare> core_state_share(const Trace& trace, CycleWindow window = {});

/// When a node's thread passed a named point first and last.
struct MarkSpan {
    hw::NodeId node;
    std::int64_t occurrences;
    hw::Cycles first;
    hw::Cycles last;
};

/// When the last of the messages that reached a stage did; nothing where none has.
std::optional<hw::Cycles> last_time(const Trace& trace, hw::Cycles hw::MessageTimes::*stage);

/// A name that no node marked is a fault.
std::vector<MarkSpan> mark_spans(const Trace& trace, std::string_view name);
std::vector<std::string> mark_names(const Trace& trace);

// For other measurements:

/// Counts durations one by one; missing ones don't count.
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

/// What each message's handler spent sending, first store to launch of each, in the messages'
/// order.
std::vector<std::int64_t> handler_send_cycles(const Trace& trace);

/// Whether an interrupt fell between the thread's first store and the launch of a message; never so
/// of what a handler sent. Throws where the sender has no core intervals.
bool send_was_interrupted(const Trace& trace, const MessageRow& message);

/// Throws when a node has no core intervals, which the measurement `what` needs.
void require_core_intervals(const Trace& trace, hw::NodeId node, std::string_view what);

}  // namespace weir::experiments::trace
