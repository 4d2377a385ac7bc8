#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/trace/exports/cycle_window.h"
#include "experiments/trace/rows/trace.h"
#include "hw/units.h"

namespace weir::experiments::trace {

/// Where the cycles of a request-reply program's round trips went.
struct RoundTripBreakdown {
    struct Part {
        std::string name;
        double mean_cycles;
        hw::Cycles total;  ///< over all iterations
    };
    std::int64_t iterations = 0;
    double mean_cycles = 0;  ///< of a whole iteration; 0 like every part if there was none
    hw::Cycles total;        ///< over all iterations, exactly the sum of the parts' totals
    std::vector<Part> parts;
};

/// A request is a message of a node's thread whose handler sent a reply back to that node, or
/// handed it on to another node whose handler did, and so on; none of those is the asking node. An
/// iteration of a node goes from the end of its previous reply's handler to the end of this one's
/// (its handler_end_cycle, which the window must contain); a node's first has no beginning and is
/// left out. The parts follow each other in time but for the first four, which share the span up to
/// the launch of the request:
///   compute, wait         the node's thread computes; waits, for something else than the reply, a
///                         DMA engine of its node too, or the core switches contexts
///   request_send          the thread sends, or is blocked in it; all its messages up to this one
///   interference          the node handles messages, or its input queue's overflow
///   request_network_unloaded    launch to header arrival, as it would be with nothing in the way
///   request_network_contention  the rest of it
///   request_notify        header arrival to readiness to interrupt
///   request_queueing      to entry into the interrupt: the core was handling others
///   request_handler       to the first store of the reply; of a handler that hands on, to the
///                         launch of what it sends
///                         (of a request that is handed on, these five are sums over its visits)
///   reply_send            to the launch of the reply
///   reply_network_unloaded, reply_network_contention, reply_notify, reply_queueing   alike
///   reply_handler         entry into the interrupt for the reply to its end
///
/// Throws TraceError, with the messages' ids, when the parts of any iteration don't sum exactly to
/// it (a part is missing or the core's intervals leave a gap or overlap), when a request has two
/// replies, or a node launched a request before it had handled the reply before; and when the core
/// intervals of a node are missing.
RoundTripBreakdown round_trip_breakdown(const Trace& trace, CycleWindow window = {});

/// The iterations that round_trip_breakdown() takes apart, one by one: in the order in which they
/// end, those of one cycle by node. Faults as there.
struct RoundTrip {
    hw::Cycles begin;
    hw::Cycles end;
};
std::vector<RoundTrip> round_trips(const Trace& trace, CycleWindow window = {});

}  // namespace weir::experiments::trace
