#pragma once

#include "experiments/models/lopc/lopc_general.h"
#include "experiments/models/model_input.h"

/// LoPC for coherent shared memory whose homes have a directory in hardware, and software behind it
/// (LimitLESS): what a remote read costs when many ask the same homes.
///
/// The thread of node i works for W cycles, then asks the home of a line, which is node k with the
/// chance V_ik, and waits for it. There are two classes of requests:
///
/// - Hardware serves a request in S_o cycles, beside the home's thread: the paper's protocol
///   processor (Section 4.2), so that R_w = W. Requests wait for each other, and for replies that
///   come to the home's own thread, which take S_y.
/// - A share m of them traps to the home's processor behind the directory (Section 4.1): software
///   takes T_s there, one request after the other, and interrupts the home's thread. Its last part,
///   T_x, comes when the reply has left: others wait for it, the request does not.
///
/// Each way through the network takes S_l. All is solved by the general model, in which directory
/// and processor of a home are two nodes (lopc_general.h).
///
/// Beyond the paper, whose network has no contention, a reply may take the channel out of its home
/// for S_n cycles, one reply after the other. What a reply itself takes there is part of S_l. With
/// S_n = 0, which is the default, the network is the paper's.
///
/// Source: Frank, Agarwal and Vernon, "LoPC: Modeling Contention in Parallel Algorithms" (1997),
/// Sections 4.1 and 4.2 and appendix A; its Section 7 expects that this validates. The software of
/// LimitLESS directories is as remembered (ASPLOS 1991). Two classes at once, T_x
/// and S_n are this model's.
///
/// Times are processor cycles, 0 to 1e15. Refused as a ModelError: what lopc_general.h refuses; a
/// share beyond 0 to 1; T_x above T_s.
namespace weir::experiments::models {

struct LopcSharedMemoryInputs {
    LopcVisits visits;                     ///< V: a thread's requests (row) by home (column)
    double work_cycles = kNotGiven;        ///< W: the thread's own time between two requests
    double network_cycles = kNotGiven;     ///< S_l: one way through the network
    double directory_cycles = kNotGiven;   ///< S_o: directory and memory of the home, a request
    double fill_cycles = kNotGiven;        ///< S_y: a reply at the controller of who asked
    double handler_squared_cv = 0.0;       ///< C_o^2: of directory and software alike
    double trapped_share = 0.0;            ///< m: of the requests
    double trap_cycles = 0.0;              ///< T_s: software of a trapped request
    double trap_after_reply_cycles = 0.0;  ///< T_x: of it, when the reply has left
    double reply_channel_cycles = 0.0;     ///< S_n: a reply in the channel out of its home
};

struct LopcSharedMemorySolution {
    double response_cycles = 0.0;           ///< R: a turn, the mean of all requests
    double contention_free_cycles = 0.0;    ///< the same if nothing contended
    double thread_response_cycles = 0.0;    ///< R_w: its work with interruptions, the mean
    double directory_waiting_cycles = 0.0;  ///< R_q - S_o: a request for its home's directory
    double trap_waiting_cycles = 0.0;       ///< a trapped request for its home's processor
    double channel_waiting_cycles = 0.0;    ///< a reply for the channel out of its home
    double fill_waiting_cycles = 0.0;       ///< R_y - S_y: a reply for the controller
    double hardware_response_cycles = 0.0;  ///< R of a turn whose request does not trap
    double trapped_response_cycles = 0.0;   ///< R of one whose request does
    double directory_utilization = 0.0;     ///< of the busiest home
    double processor_utilization = 0.0;     ///< by software, of the busiest home
    double channel_utilization = 0.0;       ///< by replies, of the busiest home
    double requests_per_cycle = 0.0;        ///< X: of all threads
    int iterations = 0;
};

LopcSharedMemorySolution solve_lopc_shared_memory(const LopcSharedMemoryInputs& inputs);

/// Lines lie at the first `homes` nodes, and each read is of any of them but the reader's own. A
/// single home only serves.
LopcVisits lopc_visits_of_homes(int processors, int homes);

}  // namespace weir::experiments::models
