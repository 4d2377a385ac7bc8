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
    kCore,  ///< the thread's states, and the handlers that interrupt it
    /// Handlers on the protocol processor, which are not in the core's intervals.
    kProtocolProcessor,
    kSendDma,     ///< bodies read from memory into the output queue
    kReceiveDma,  ///< bodies written from the input queue to memory
    /// Launches that wait for room in the output queue, or for the sending DMA engine.
    kLaunchStall,
    /// Arrived flits that wait for room in the input queue and stop the network behind them.
    kNetworkStop,
};

std::string_view track_name(Track track);

/// Contents of a trace inside a window, in the form that viewers draw. All contents are cut to the
/// window and have a defined order, which depends on the trace's facts alone. The trace must
/// outlive this object.
class Timeline {
  public:
    struct Slice {
        hw::NodeId node;
        Track track;
        std::string_view name;  ///< state of the core; "handler" for handlers on both tracks
        CycleWindow cycles;     ///< part of the slice inside the window
        CycleWindow whole;
        hw::MessageId message;     ///< handled message; invalid in the thread's states
        const hw::Message* facts;  ///< row of the handled message; null if the trace lacks it
    };

    /// Send of a handler from first store to launch, inside a slice of the handler. If a trap
    /// interrupts the send, each part is visited with its slice.
    struct HandlerSend {
        Track track;         ///< track of the handler at message.source
        CycleWindow cycles;  ///< part of the send inside the window and the slice
        CycleWindow whole;
        hw::Cycles handler_begin;  ///< begin of the sending handler; may be before the window
        hw::Message message;       ///< the sent message, with its parent
    };

    /// Message's launch and its handler; both are inside the window and in a slice.
    struct Trip {
        Track from_track;      ///< track of the sender at message.source
        hw::Cycles departure;  ///< last cycle of the launch
        Track to_track;        ///< track of the handler at message.destination
        hw::Cycles handler_begin;
        hw::Message message;
    };

    struct DmaSlice {
        Track track = Track::kSendDma;
        CycleWindow cycles;  ///< part of the transfer inside the window
        hw::DmaTransfer transfer;
        /// Row of the transfer's message; null if the trace lacks it.
        const hw::Message* facts = nullptr;
    };

    /// Begins of the sending and the receiving DMA transfer of a body, inside the window. The
    /// transfers' ends have no arrow: most bytes of a long body arrive before its last byte has
    /// left.
    struct BodyTrip {
        hw::NodeId source;
        hw::Cycles gather_begin;
        hw::NodeId destination;
        hw::Cycles scatter_begin;
    };

    struct StallSlice {
        Track track = Track::kLaunchStall;
        /// Part of the stall that is inside the window and after the end of overlapping earlier
        /// stalls.
        CycleWindow cycles;
        hw::Stall stall;
    };

    /// Request of a node for a line of shared memory, from the miss to the line's first use.
    /// If the line is never used, the request lasts to the line's arrival. Transactions of a node
    /// may overlap.
    struct TransactionSlice {
        CycleWindow cycles;  ///< part of the request inside the window
        CycleWindow whole;
        std::string_view request;  ///< shared_requests.name
        hw::SharedTransaction transaction;
    };

    /// Packet that a home handed to its software, until the software has finished with it.
    struct CoherenceTrapSlice {
        CycleWindow cycles;  ///< part of the packet's time inside the window
        CycleWindow whole;
        std::string_view request;  ///< shared_requests.name
        hw::CoherenceTrap trap;
    };

    /// State of a line of shared memory in a node's cache, or at its home, until it changes. A line
    /// without a copy in a cache has no slice.
    struct LineStateSlice {
        CycleWindow cycles;  ///< part of the state's time inside the window
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

    /// Timeline of the part of `window` that the trace covers. Throws TraceError if the trace
    /// covers no part of it. All functions throw TraceError if the trace cannot be read.
    explicit Timeline(const TraceDatabase& trace, CycleWindow window = {});

    /// Cycles shown; the window has an end.
    [[nodiscard]] CycleWindow window() const { return window_; }
    [[nodiscard]] std::int32_t node_count() const { return node_count_; }
    /// Keys and values of the table `run`, without keys about the host, by key.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> run_info() const;

    /// Visits slices by track, node and time. Slices of one track of one node do not overlap.
    void for_each_slice(const std::function<void(const Slice&)>& visit) const;
    /// Visits handlers' sends by sender and time.
    void for_each_handler_send(const std::function<void(const HandlerSend&)>& visit) const;
    /// Visits messages' launches and handlers by message.
    void for_each_trip(const std::function<void(const Trip&)>& visit) const;
    /// Visits DMA transfers by engine, node and time. An engine serves one message at a time.
    void for_each_dma_slice(const std::function<void(const DmaSlice&)>& visit) const;
    /// Visits transfers of bodies by message.
    void for_each_body_trip(const std::function<void(const BodyTrip&)>& visit) const;
    /// Visits stalls by place, node and time. Slices of one track of one node may be nested, but do
    /// not overlap otherwise: a core and its protocol processor may both launch.
    void for_each_stall(const std::function<void(const StallSlice&)>& visit) const;
    /// Visits transactions by node and time; for_each_coherence_trap() has the same order.
    void for_each_transaction(const std::function<void(const TransactionSlice&)>& visit) const;
    void for_each_coherence_trap(const std::function<void(const CoherenceTrapSlice&)>& visit) const;
    /// Visits states by node, line, cache before home, and time.
    void for_each_line_state(const std::function<void(const LineStateSlice&)>& visit) const;
    /// Visits levels by queue and time. The first level is the one at the window's begin, if the
    /// trace knows it.
    void for_each_queue_level(const std::function<void(const QueueLevel&)>& visit) const;
    /// Visits marks by node and time.
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
