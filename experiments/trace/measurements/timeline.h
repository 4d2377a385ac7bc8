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

/// A row of a node on the timeline: one thing that does one thing at a time. A part that is traced
/// later gets a row by a name here, in track_name() and in a for_each function.
enum class Track : std::uint8_t {
    kCore,               ///< the thread's states, and the handlers that interrupt it
    kProtocolProcessor,  ///< handlers beside the thread, which the core's intervals don't show
    kSendDma,            ///< bodies read from memory into the output queue
    kReceiveDma,         ///< bodies written from the input queue to memory
    kLaunchStall,        ///< launches that wait for room
    kNetworkStop,        ///< arrived flits that wait for room, and the network behind them
};

std::string_view track_name(Track track);

/// What a trace shows inside a window, put into the form that a viewer draws. Everything is cut to
/// the window and comes in an order of its own, the same for the same facts. The trace must stay.
class Timeline {
  public:
    struct Slice {
        hw::NodeId node;
        Track track;
        std::string_view name;  ///< the core's state, "handler" on every track
        CycleWindow cycles;     ///< what of it is inside the window
        CycleWindow whole;
        hw::MessageId message;     ///< the one handled; invalid in the thread's states
        const hw::Message* facts;  ///< of that message; null when the trace has no row of it
    };

    /// What a handler sent, first store to launch, inside a slice of the handler. One that a trap
    /// interrupts comes once for each slice it has cycles in.
    struct HandlerSend {
        Track track;         ///< of message.source
        CycleWindow cycles;  ///< what of it is inside the window and the slice
        CycleWindow whole;
        hw::Cycles handler_begin;  ///< of the handler that sent it; may be before the window
        hw::Message message;       ///< with its parent
    };

    /// A message's launch and the handler it led to, both inside the window and in a slice.
    struct Trip {
        Track from_track;      ///< of message.source
        hw::Cycles departure;  ///< the last cycle of the launch
        Track to_track;        ///< of message.destination
        hw::Cycles handler_begin;
        hw::Message message;
    };

    struct DmaSlice {
        Track track = Track::kSendDma;
        CycleWindow cycles;  ///< what of the transfer is inside the window
        hw::DmaTransfer transfer;
        const hw::Message* facts = nullptr;  ///< of its message; null without a row of it
    };

    /// A body's way from one memory to another: the begins of both engines' transfers, inside the
    /// window. Their ends are no arrow: most of a long body arrives before its last byte has left.
    struct BodyTrip {
        hw::NodeId source;
        hw::Cycles gather_begin;
        hw::NodeId destination;
        hw::Cycles scatter_begin;
    };

    struct StallSlice {
        Track track = Track::kLaunchStall;
        CycleWindow cycles;  ///< what of the stall is inside the window, and not beside another's
        hw::Stall stall;
    };

    /// A node's request for a line of shared memory, from the miss to the line's first use, or else
    /// until the line came. Those of a node may overlap.
    struct TransactionSlice {
        CycleWindow cycles;  ///< what of it is inside the window
        CycleWindow whole;
        std::string_view request;  ///< shared_requests.name
        hw::SharedTransaction transaction;
    };

    /// A packet that a home handed to its software, until that had done with it.
    struct CoherenceTrapSlice {
        CycleWindow cycles;  ///< what of it is inside the window
        CycleWindow whole;
        std::string_view request;  ///< shared_requests.name
        hw::CoherenceTrap trap;
    };

    /// What a line of shared memory is to a node's cache, or to its home, until that changes. What
    /// no copy is in a cache is no slice.
    struct LineStateSlice {
        CycleWindow cycles;  ///< what of it is inside the window
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

    /// Takes the part of `window` that the trace was kept for. Throws TraceError, as all here do
    /// where the trace can't be read, when the trace has nothing there.
    explicit Timeline(const TraceDatabase& trace, CycleWindow window = {});

    /// The cycles shown; they have an end.
    [[nodiscard]] CycleWindow window() const { return window_; }
    [[nodiscard]] std::int32_t node_count() const { return node_count_; }
    /// The table `run` but for the keys about the host: (key, value) by key.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> run_info() const;

    /// Track by track and node by node in the order of time. Slices of one track of one node don't
    /// overlap.
    void for_each_slice(const std::function<void(const Slice&)>& visit) const;
    /// By sender and time.
    void for_each_handler_send(const std::function<void(const HandlerSend&)>& visit) const;
    /// By message.
    void for_each_trip(const std::function<void(const Trip&)>& visit) const;
    /// Engine by engine and node by node in the order of time. An engine serves one message at a
    /// time.
    void for_each_dma_slice(const std::function<void(const DmaSlice&)>& visit) const;
    /// By message.
    void for_each_body_trip(const std::function<void(const BodyTrip&)>& visit) const;
    /// Place by place and node by node in the order of time. Slices of one track of one node don't
    /// overlap, but one may lie in another: a core's and its protocol processor's launches.
    void for_each_stall(const std::function<void(const StallSlice&)>& visit) const;
    /// By node and time, as the next.
    void for_each_transaction(const std::function<void(const TransactionSlice&)>& visit) const;
    void for_each_coherence_trap(const std::function<void(const CoherenceTrapSlice&)>& visit) const;
    /// Line by line of each node, its cache's before its home's, in the order of time.
    void for_each_line_state(const std::function<void(const LineStateSlice&)>& visit) const;
    /// Queue by queue in the order of time, first what it holds when the window begins, unless the
    /// trace does not know.
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
