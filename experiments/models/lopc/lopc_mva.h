#pragma once

#include "experiments/models/lopc/lopc_all_to_any.h"
#include "experiments/models/lopc/lopc_client_server.h"
#include "experiments/models/lopc/lopc_general.h"

/// Error of LoPC's simplest approximation: exact mean value analysis and Bard-Schweitzer.
///
/// LoPC assumes that an arriving message finds the average queue of its node (Bard). By the arrival
/// theorem, an arriving message finds the average queue of a system without its own thread.
/// Bard-Schweitzer subtracts the thread's own share from the average queue. The exact analysis
/// solves the system with one thread less, with two less, and so on. The paper (Frank, Agarwal and
/// Vernon, 1997, section 3.2) names both as alternatives to Bard's approximation.
///
/// The theorem, and so the exact analysis, holds for networks of product form only:
///  - handlers are exponential (C_o^2 = 1), with equal times at a node where requests and replies
///    queue together (o_s = 0 there);
///  - no handler interrupts a thread that makes requests. Either a protocol processor runs the
///  handlers, or no request visits such a thread, as in a client-server program.
/// Work and network are then delays of any distribution, nodes are first come first served, and
/// each thread is a class of one customer. If threads and nodes are alike, the recursion over sets
/// of threads becomes one over their number.
///
/// Source: Reiser and Lavenberg (1980) for the exact recursion, Schweitzer (1979) for the
/// approximation; LoPC's equations (25) to (28) otherwise. Times are processor cycles. Inputs that
/// lopc_general.h refuses are a ModelError of these functions, too. The exact analysis also refuses
/// inputs that are not of product form, or too large.
namespace weir::experiments::models {

struct LopcMva {
    double response_cycles = 0.0;          ///< R: round trip, mean over all requests
    double request_response_cycles = 0.0;  ///< R_q: time of a visit, mean over all nodes
    double reply_response_cycles = 0.0;    ///< R_y: time of a thread's reply
    double requests_per_cycle = 0.0;       ///< X: throughput of the whole machine
};

/// Bard-Schweitzer in (25) to (27): a message does not find its own thread's share of the queue.
/// Handlers may have any C_o^2 and may interrupt.
LopcMva solve_lopc_bard_schweitzer(const LopcGeneralInputs& inputs);

/// The same for P threads that ask all other nodes equally, in the time of one thread.
LopcMva solve_lopc_bard_schweitzer_all_to_any(const LopcInputs& inputs, double visits_per_request);

/// Exact recursion over sets of threads, for at most 16 threads with requests and 64 nodes.
LopcMva solve_lopc_exact_mva(const LopcGeneralInputs& inputs);

/// Exact recursion for P threads that ask all other nodes equally, where protocol processors run
/// exponential handlers.
LopcMva solve_lopc_exact_mva_all_to_any(int processors, double work_cycles, double network_cycles,
                                        double handler_cycles);

/// Exact recursion for a client-server program; C_o^2 must be 1.
LopcMva solve_lopc_exact_mva_client_server(const LopcClientServerInputs& inputs, int servers);

}  // namespace weir::experiments::models
