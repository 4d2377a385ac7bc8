#pragma once

#include "experiments/models/model_input.h"

/// LogP, point to point: costs of short messages without contention.
///
/// Source: Culler et al., "LogP: Towards a Realistic Model of Parallel Computation" (1993), section
/// 3 (a remote read is 2L + 4o). The overhead is split into sending and receiving as in Moritz and
/// Frank, "LoGPC" (2001), sections 2.1 and 5.1. The gap g does not appear: on the machines modelled
/// here a processor composes short messages no faster than the network takes them. Therefore g is
/// at most o_s (LoGPC, section 2.1).
///
/// All times are processor cycles, 0 to 1e15. Anything else is a ModelError.
namespace weir::experiments::models {

struct LogpInputs {
    double latency_cycles = kNotGiven;        ///< L: end of the send to the receiver's interrupt
    double send_overhead_cycles = kNotGiven;  ///< o_s: processor time to compose and launch
    double receive_overhead_cycles =
        kNotGiven;  ///< o_r: processor time for the interrupt and the handler
};

/// Time of one message, from the start of the send to the end of its handler: o_s + L + o_r.
double logp_message_cycles(const LogpInputs& inputs);

/// Round trip of a thread that works, sends a request and waits for the reply: W + 2(o_s + L +
/// o_r).
double logp_round_trip_cycles(const LogpInputs& inputs, double work_cycles);

/// Iteration of a node that sends without waiting, and receives as many messages as it sends: o_s +
/// o_r (LoGPC, section 5.1.2).
double logp_asynchronous_iteration_cycles(const LogpInputs& inputs);

}  // namespace weir::experiments::models
