#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/trace/exports/cycle_window.h"
#include "experiments/trace/rows/trace.h"
#include "hw/units.h"

namespace weir::experiments::trace {

/// Mean cycles of the parts of a request-reply program's round trips.
struct RoundTripBreakdown {
    struct Part {
        std::string name;
        double mean_cycles;
        hw::Cycles total;  ///< sum over all iterations
    };
    std::int64_t iterations = 0;
    /// Mean length of an iteration; 0 without iterations, as the mean of every part.
    double mean_cycles = 0;
    hw::Cycles total;  ///< cycles of all iterations; exactly the sum of the parts' totals
    std::vector<Part> parts;
};

/// Breaks round trips down into parts.
///
/// A request is a message of a node's thread that leads to a reply to that node. The request's
/// handler sends the reply, or forwards the request to another node, whose handler replies or
/// forwards it again. An iteration of a node lasts from the end of its previous reply's handler to
/// the end of its next reply's. The window must contain the end of the iteration, its reply's
/// handler_end_cycle. A node's first iteration has no begin and is left out.
///
/// Parts of the time up to the request's launch, by activity of the node:
/// - compute: the thread computes; wait: the thread waits, also for its node's DMA engine, or the
///   core switches contexts
/// - request_send: the thread sends the request or earlier messages of the iteration, or is blocked
///   in such a send
/// - interference: the node handles messages, or an overflow of its input queue
///
/// Parts that follow each other from the request's launch on. If a request is forwarded, the first
/// five are sums over all nodes that it visits:
/// - request_network_unloaded: launch to header arrival of an uncontended message
/// - request_network_contention: the remaining time to header arrival
/// - request_notify: header arrival to readiness to interrupt
/// - request_queueing: from this readiness to entry into the interrupt, while the core handles
///   other messages
/// - request_handler: from this entry to the reply's first store; in a forwarding handler, to the
///   launch of its message
/// - reply_send: from the reply's first store to its launch
/// - reply_network_unloaded, reply_network_contention, reply_notify, reply_queueing: as for
///   requests
/// - reply_handler: from entry into the reply's interrupt to its end
///
/// Throws TraceError, with the messages' ids, if the parts of an iteration do not sum exactly to
/// it. In such a trace a part is missing, or the core's intervals have a gap or overlap. Also
/// throws if a request has two replies, or if core intervals of a node are missing. Also throws if
/// a node launched a request before it had handled the previous reply.
RoundTripBreakdown round_trip_breakdown(const Trace& trace, CycleWindow window = {});

/// Iterations of round_trip_breakdown(), in the order of their ends, then by node. Throws as
/// round_trip_breakdown() does.
struct RoundTrip {
    hw::Cycles begin;
    hw::Cycles end;
};
std::vector<RoundTrip> round_trips(const Trace& trace, CycleWindow window = {});

}  // namespace weir::experiments::trace
