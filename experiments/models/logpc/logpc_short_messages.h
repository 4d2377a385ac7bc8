#pragma once

#include "experiments/models/logp/logp.h"
#include "experiments/models/logpc/logpc_network.h"

/// LoGPC for short messages: LogP's costs with the contention of the network, and of the processors
/// where threads wait for replies.
///
/// Source: Moritz and Frank, "LoGPC" (2001), equations (8) and (9), sections 5.1.1 and 5.1.2 and
/// Table 4. Times are processor cycles; what the parts refuse (logp.h, logpc_network.h) is a
/// ModelError here.
///
/// At which rate Table 4's C_n was computed the paper does not say for synchronous messages. Here a
/// node injects two messages a turn, its request and the reply to somebody else's, so T is half of
/// LogP's turn: 316/2 = 158 in Table 4. That leaves out C_r, as the table's figures do as well.
namespace weir::experiments::models {

/// One message: o_s + L + C_n + o_r, (8).
double logpc_message_cycles(const LogpInputs& inputs, double network_contention_cycles);

/// A synchronous turn for a C_n that is already known: W + 2(o_s + L + C_n + o_r) + C_r, where C_r
/// is one more handler, o_r + o_s, by LoPC's rule of thumb.
double logpc_round_trip_cycles(const LogpInputs& inputs, double work_cycles,
                               double network_contention_cycles);

struct LogpcShortMessages {
    double iteration_cycles = 0.0;             ///< one turn of a node's loop
    double processor_contention_cycles = 0.0;  ///< C_r, in each turn
    LogpcNetworkSolution network;              ///< C_n of each message, and at which rate
};

/// All-to-all remap with requests and replies: each node works W, sends a request and waits for its
/// reply. Both messages are of the given size.
LogpcShortMessages solve_logpc_synchronous(const LogpInputs& inputs, double work_cycles,
                                           const LogpcNetworkInputs& network);

/// All-to-all remap without replies: a node works W and injects a message, every W + o_s + o_r
/// cycles. C_n delays the messages, but nothing waits for them, so the turn stays as long.
LogpcShortMessages solve_logpc_asynchronous(const LogpInputs& inputs,
                                            const LogpcNetworkInputs& network,
                                            double work_cycles = 0.0);

}  // namespace weir::experiments::models
