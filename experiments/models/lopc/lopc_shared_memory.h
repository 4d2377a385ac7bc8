#pragma once

#include "experiments/models/lopc/lopc_general.h"
#include "experiments/models/model_input.h"

/// LoPC for coherent shared memory whose homes have a directory in hardware and software for the
/// rest (LimitLESS). Gives the time of a remote read if many nodes ask the same homes.
///
/// The thread of node i works for W cycles, asks the home of a line (node k with probability V_ik),
/// and waits for the reply. Requests have two classes:
///
/// - Hardware serves a request in S_o cycles, in parallel to the home's thread. This hardware is
///   the paper's protocol processor (Section 4.2), with R_w = W. Requests wait for each other, and
///   for replies to the home's own thread, which take S_y.
/// - A share m of the requests traps to the home's processor after the directory (Section 4.1).
///   The home's software takes T_s, one request after the other, and interrupts the home's thread.
///   The last part of T_s, T_x, follows the reply: it delays other requests, but not this one.
///
/// A trip through the network takes S_l in each direction. The general model, in which directory
/// and processor of a home are two nodes, solves the equations (lopc_general.h).
///
/// The paper's network has no contention. As an extension, a reply may take the channel out of its
/// home for S_n cycles, one reply after the other. A reply's own time in this channel is part of
/// S_l. With the default S_n = 0 the network is the paper's.
///
/// Source: Frank, Agarwal and Vernon, "LoPC: Modeling Contention in Parallel Algorithms" (1997),
/// Sections 4.1 and 4.2 and appendix A. The paper's Section 7 expects LoPC to hold for shared
/// memory. The software of LimitLESS directories is described from memory (ASPLOS 1991). Two
/// classes at once, T_x and S_n are this model's own.
///
/// Times are processor cycles, 0 to 1e15. Refused as a ModelError: inputs that lopc_general.h
/// refuses; a share outside 0 to 1; T_x above T_s.
namespace weir::experiments::models {

struct LopcSharedMemoryInputs {
    LopcVisits visits;                     ///< V: a thread's requests (row) by home (column)
    double work_cycles = kNotGiven;        ///< W: work of a thread between two requests
    double network_cycles = kNotGiven;     ///< S_l: network latency one way
    double directory_cycles = kNotGiven;   ///< S_o: home's directory and memory, for a request
    double fill_cycles = kNotGiven;        ///< S_y: a reply at the requesting node's controller
    double handler_squared_cv = 0.0;       ///< C_o^2: of directory and software alike
    double trapped_share = 0.0;            ///< m: share of requests that trap
    double trap_cycles = 0.0;              ///< T_s: software of a trapped request
    double trap_after_reply_cycles = 0.0;  ///< T_x: part of T_s after the reply has left
    double reply_channel_cycles = 0.0;     ///< S_n: a reply in the channel out of its home
};

struct LopcSharedMemorySolution {
    double response_cycles = 0.0;           ///< R: round trip, mean of all requests
    double contention_free_cycles = 0.0;    ///< round trip without contention, mean
    double thread_response_cycles = 0.0;    ///< R_w: work with interruptions, mean
    double directory_waiting_cycles = 0.0;  ///< R_q - S_o: request waiting for its home's directory
    double trap_waiting_cycles = 0.0;       ///< trapped request waiting for its home's processor
    double channel_waiting_cycles = 0.0;    ///< reply waiting for the channel out of its home
    double fill_waiting_cycles = 0.0;       ///< R_y - S_y: reply waiting for the controller
    double hardware_response_cycles = 0.0;  ///< R of requests that do not trap
    double trapped_response_cycles = 0.0;   ///< R of requests that trap
    double directory_utilization = 0.0;     ///< utilization of the busiest home's directory
    double processor_utilization = 0.0;     ///< the busiest home's processor, by traps
    double channel_utilization = 0.0;       ///< the busiest home's channel, by replies
    double requests_per_cycle = 0.0;        ///< X: throughput of all threads
    int iterations = 0;
};

LopcSharedMemorySolution solve_lopc_shared_memory(const LopcSharedMemoryInputs& inputs);

/// V of reads from lines at the first `homes` nodes; a thread reads all homes but its own equally.
/// A single home makes no requests.
LopcVisits lopc_visits_of_homes(int processors, int homes);

}  // namespace weir::experiments::models
