#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/trace/database/trace_database.h"
#include "experiments/trace/exports/cycle_window.h"
#include "hw/messages/message.h"
#include "hw/tracing/trace_probe.h"
#include "hw/units.h"

namespace weir::experiments::trace {

/// Track of a node on the timeline: a part that does one thing at a time. To add a track, add it
/// here, to track_name() and to a for_each function.
enum class Track : std::uint8_t {
    kCore,               ///< the thread's states, and the handlers that interrupt it
    kProtocolProcessor,  ///< handlers beside the thread, which are not in the core's intervals
    kSendDma,            ///< bodies read from memory into the output queue
    kReceiveDma,         ///< bodies written from the input queue to memory
    kLaunchStall,        ///< launches that wait for room
    kNetworkStop,        ///< arrived flits that wait for room and stop the network behind them
};

std::string_view track_name(Track track);

/// Contents of a trace inside a window, in the form that viewers draw. Everything is cut to the
/// window and has a defined order, the same for the same facts. The trace must outlive this object.
class Timeline {
  public:
    struct Slice {
        hw::NodeId node;
        Track track;
        std::string_view name;  ///< state of the core; "handler" on every track
        CycleWindow cycles;     ///< part inside the window
        CycleWindow whole;
        hw::MessageId message;     ///< handled message; invalid in the thread's states
        const hw::Message* facts;  ///< row of that message; null if the trace has none
    };

    /// Send of a handler, first store to launch, inside a slice of the handler. A send that a trap
    /// interrupts is visited once for each slice with its cycles.
    struct HandlerSend {
        Track track;         ///< track at message.source
        CycleWindow cycles;  ///< part inside the window and the slice
        CycleWindow whole;
        hw::Cycles handler_begin;  ///< begin of the sending handler; may be before the window
        hw::Message message;       ///< with its parent
    };

    /// Message's launch and its handler; both are inside the window and in a slice.
    struct Trip {
        Track from_track;      ///< track at message.source
        hw::Cycles departure;  ///< last cycle of the launch
        Track to_track;        ///< track at message.destination
        hw::Cycles handler_begin;
        hw::Message message;
    };

    struct DmaSlice {
        Track track = Track::kSendDma;
        CycleWindow cycles;  ///< part of the transfer inside the window
        hw::DmaTransfer transfer;
        const hw::Message* facts = nullptr;  ///< row of its message; null if the trace has none
    };

    /// Begins of the sending and the receiving DMA transfer of a body, inside the window. The ends
    /// have no arrow: most bytes of a long body arrive before its last byte has left.
    struct BodyTrip {
        hw::NodeId source;
        hw::Cycles gather_begin;
        hw::NodeId destination;
        hw::Cycles scatter_begin;
    };

    struct StallSlice {
        Track track = Track::kLaunchStall;
        /// Part of the stall inside the window and behind overlapping earlier stalls.
        CycleWindow cycles;
        hw::Stall stall;
    };

    /// Request of a node for a line of shared memory, from the miss to the line's first use.
    /// Without a use it lasts to the line's arrival. Transactions of a node may overlap.
    struct TransactionSlice {
        CycleWindow cycles;  ///< part inside the window
        CycleWindow whole;
        std::string_view request;  ///< shared_requests.name
        hw::SharedTransaction transaction;
    };

    /// Packet that a home handed to its software, until the software has finished with it.
    struct CoherenceTrapSlice {
        CycleWindow cycles;  ///< part inside the window
        CycleWindow whole;
        std::string_view request;  ///< shared_requests.name
        hw::CoherenceTrap trap;
    };

    /// State of a line of shared memory in a node's cache, or at its home, until it changes. A line
    /// without a copy in a cache has no slice.
    struct LineStateSlice {
        CycleWindow cycles;  ///< part inside the window
        CycleWindow whole;
        std::string_view state;  ///< line_state_names.name
        hw::LineState entered;
    };

    struct QueueLevel {
        hw::NodeId node;
        std::string_view queue;  ///< queue_kinds.name
        hw::Cycles cycle;
        hw::Bytes bytes;
    };

    struct Mark {
        hw::NodeId node;
        std::string_view name;
        std::int64_t occurrence;
        hw::Cycles cycle;
        std::int64_t value;
    };

    /// Shows the part of `window` that the trace was kept for. Throws TraceError if the trace has
    /// nothing there. All functions throw it if the trace cannot be read.
    explicit Timeline(const TraceDatabase& trace, CycleWindow window = {});

    /// Cycles shown; the window has an end.
    [[nodiscard]] CycleWindow window() const { return window_; }
    [[nodiscard]] std::int32_t node_count() const { return node_count_; }
    /// Keys and values of the table `run`, without keys about the host, by key.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> run_info() const;

    /// By track, node and time. Slices of one track of one node do not overlap.
    void for_each_slice(const std::function<void(const Slice&)>& visit) const;
    /// By sender and time.
    void for_each_handler_send(const std::function<void(const HandlerSend&)>& visit) const;
    /// By message.
    void for_each_trip(const std::function<void(const Trip&)>& visit) const;
    /// By engine, node and time. An engine serves one message at a time.
    void for_each_dma_slice(const std::function<void(const DmaSlice&)>& visit) const;
    /// By message.
    void for_each_body_trip(const std::function<void(const BodyTrip&)>& visit) const;
    /// By place, node and time. Slices of one track of one node may be nested, but do not overlap
    /// otherwise: a core and its protocol processor may both launch.
    void for_each_stall(const std::function<void(const StallSlice&)>& visit) const;
    /// By node and time; likewise for_each_coherence_trap().
    void for_each_transaction(const std::function<void(const TransactionSlice&)>& visit) const;
    void for_each_coherence_trap(const std::function<void(const CoherenceTrapSlice&)>& visit) const;
    /// By node, line, cache before home, and time.
    void for_each_line_state(const std::function<void(const LineStateSlice&)>& visit) const;
    /// By queue and time. The first level is that at the window's begin, if the trace knows it.
    void for_each_queue_level(const std::function<void(const QueueLevel&)>& visit) const;
    /// By node and time.
    void for_each_mark(const std::function<void(const Mark&)>& visit) const;

  private:
    [[nodiscard]] std::int64_t number(std::string_view sql) const;
    [[nodiscard]] CycleWindow cut(CycleWindow whole) const;
    void require_nodes_in_range() const;

    const TraceDatabase& trace_;
    std::int32_t node_count_;
    CycleWindow kept_;
    CycleWindow window_;
};

}  // namespace weir::experiments::trace
