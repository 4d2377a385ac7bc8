#pragma once

#include "experiments/models/model_input.h"

/// LoPC with several outstanding requests of each node: threads that do not wait for each reply, or
/// several threads that do.
///
/// Each of P nodes may have k requests outstanding. The node's thread works for W cycles for each
/// request, and sends it to a random other node. It goes on with the work for the next one while
/// fewer than k requests are outstanding. This is a closed queueing network with k customers for
/// each node. A customer visits its thread (W), the network (S_l), and the request handler of
/// another node (S_q). Then it visits the network and its own node's reply handler (S_y). Several
/// threads in hardware contexts, each of which waits for its own replies, are the same network. For
/// k = 1 it is LoPC's, for any k its throughput is at most that of tasks that nothing waits for: 1
/// / (W + S_q + S_y).
///
/// The approximate mean value analysis is LoPC's: Bard's for other nodes' customers, and for a
/// node's own customers Schweitzer's share (k - 1)/k. Handlers interrupt the thread as in (7), or
/// run beside it on a protocol processor. No node is busy for longer than all the time: R is at
/// least k (W + S_q + S_y).
///
/// Sources: Frank, Agarwal and Vernon, "LoPC" (1997), Sections 4.1 to 4.3, for the equations.
/// Its Section 4.2 leaves non-blocking requests to techniques of others. Heidelberger and Trivedi,
/// "Queueing network models for parallel processing with asynchronous tasks" (IEEE Transactions
/// on Computers, 1982): tasks that nothing waits for. The limit k and its equations are this
/// model's own.
///
/// Times are processor cycles, 0 to 1e15. Faulty inputs are a ModelError.
namespace weir::experiments::models {

struct LopcNonblockingInputs {
    int processors = 0;                         ///< P
    double outstanding_requests = 1.0;          ///< k
    double work_cycles = kNotGiven;             ///< W: time of the thread for each request
    double work_squared_cv = 0.0;               ///< C_w^2
    double network_cycles = kNotGiven;          ///< S_l: network latency one way
    double request_handler_cycles = kNotGiven;  ///< S_q
    double reply_handler_cycles = kNotGiven;    ///< S_y
    double handler_squared_cv = 0.0;            ///< C_o^2
    bool protocol_processor = false;            ///< handlers do not interrupt the thread
};

struct LopcNonblockingSolution {
    double cycles_per_request = 0.0;       ///< R/k: time of a node for each request
    double response_cycles = 0.0;          ///< R: from the end of a reply to that of the next one
    double thread_response_cycles = 0.0;   ///< R_w: waiting for the thread, and work
    double request_response_cycles = 0.0;  ///< R_q
    double reply_response_cycles = 0.0;    ///< R_y
    double thread_utilization = 0.0;       ///< U_w: share of time in which the thread works
    double request_utilization = 0.0;      ///< U_q
    double reply_utilization = 0.0;        ///< U_y
};

/// Solves the equations by substitution. Throws ModelError if they do not converge.
[[nodiscard]] LopcNonblockingSolution solve_lopc_nonblocking(const LopcNonblockingInputs& inputs);

/// Time of a node for each request if no thread ever waits: W + S_q + S_y, or the longer of thread
/// and protocol processor.
[[nodiscard]] double lopc_asynchronous_cycles(const LopcNonblockingInputs& inputs);

}  // namespace weir::experiments::models
