#pragma once

#include "experiments/models/lopc/lopc_client_server.h"
#include "experiments/models/lopc/lopc_general.h"

/// What LoPC's simplest approximation costs: exact mean value analysis, and Bard-Schweitzer's.
///
/// LoPC takes what an arriving message finds at a node to be the average that is there (Bard). By
/// the arrival theorem it finds the average of a system without its own thread. Bard-Schweitzer
/// leaves out the thread's own share of today's average; the exact analysis solves the system with
/// one thread less, and with two less, down to none. The paper (Frank, Agarwal and Vernon, 1997,
/// section 3.2) names both in place of Bard's.
///
/// The theorem holds for networks of product form, and so the exact analysis is for these alone:
///  - handlers are exponential (C_o^2 = 1) and of one length at a node where requests and replies
///    queue together (o_s = 0 there);
///  - no handler interrupts a thread that asks: a protocol processor runs the handlers, or, as in a
///    client-server program, nobody's request visits a thread that asks.
/// Work and network are then delays of any distribution, nodes are first come first served, and
/// each thread is a class of one customer. Where threads and nodes are alike the recursion over
/// the sets of threads becomes one over their number.
///
/// Source: Reiser and Lavenberg (1980) for the exact recursion, Schweitzer (1979) for the
/// approximation; LoPC's equations (25) to (28) otherwise. Times are processor cycles; what
/// lopc_general.h refuses is refused here, and the exact analysis refuses what is not of product
/// form, or too large.
namespace weir::experiments::models {

struct LopcMva {
    double response_cycles = 0.0;          ///< R of a request, whoever makes it
    double request_response_cycles = 0.0;  ///< R_q of a visit, wherever it goes
    double reply_response_cycles = 0.0;    ///< R_y, of a thread's reply
    double requests_per_cycle = 0.0;       ///< X: throughput of the whole machine
};

/// Bard-Schweitzer in (25) to (27): a message doesn't find the share of the queue that is its own
/// thread's. Handlers of any C_o^2, interrupting or not.
LopcMva solve_lopc_bard_schweitzer(const LopcGeneralInputs& inputs);

/// The exact recursion over the sets of threads, for 16 threads that ask and 64 nodes at most.
LopcMva solve_lopc_exact_mva(const LopcGeneralInputs& inputs);

/// The exact recursion where P threads ask any other node alike and protocol processors run
/// exponential handlers.
LopcMva solve_lopc_exact_mva_all_to_any(int processors, double work_cycles, double network_cycles,
                                        double handler_cycles);

/// The exact recursion of a client-server program; C_o^2 must be 1.
LopcMva solve_lopc_exact_mva_client_server(const LopcClientServerInputs& inputs, int servers);

}  // namespace weir::experiments::models
