#pragma once

#include "experiments/models/logp/logp.h"
#include "experiments/models/logpc/logpc_network.h"

/// LoGPC for short messages: LogP's costs with contention in the network, and for processors if
/// threads wait for replies.
///
/// Source: Moritz and Frank, "LoGPC" (2001), equations (8) and (9), sections 5.1.1 and 5.1.2 and
/// Table 4. Times are processor cycles. Inputs that the parts refuse (logp.h, logpc_network.h) are
/// a ModelError.
///
/// For synchronous messages, the paper does not say at which rate Table 4's C_n was computed. Here
/// a node injects two messages per round trip, its request and its reply to another node. So T is
/// half of LogP's round trip: 316/2 = 158 in Table 4. This T leaves out C_r, as do the table's
/// figures.
namespace weir::experiments::models {

/// Time of one message: o_s + L + C_n + o_r, (8).
double logpc_message_cycles(const LogpInputs& inputs, double network_contention_cycles);

/// Synchronous round trip for a known C_n: W + 2(o_s + L + C_n + o_r) + C_r. By LoPC's rule of
/// thumb C_r is one more handler, o_r + o_s.
double logpc_round_trip_cycles(const LogpInputs& inputs, double work_cycles,
                               double network_contention_cycles);

struct LogpcShortMessages {
    double iteration_cycles = 0.0;             ///< time of an iteration of a node
    double processor_contention_cycles = 0.0;  ///< C_r: contention for processors in each iteration
    LogpcNetworkSolution network;              ///< C_n of each message, and the injection rate
};

/// All-to-all remap with requests and replies: each node works W, sends a request and waits for its
/// reply. Requests and replies have the size given in `network`.
LogpcShortMessages solve_logpc_synchronous(const LogpInputs& inputs, double work_cycles,
                                           const LogpcNetworkInputs& network);

/// All-to-all remap without replies: a node works W and injects a message every W + o_s + o_r
/// cycles. C_n delays the messages; since nothing waits for them, the iteration takes no longer.
LogpcShortMessages solve_logpc_asynchronous(const LogpInputs& inputs,
                                            const LogpcNetworkInputs& network,
                                            double work_cycles = 0.0);

}  // namespace weir::experiments::models
