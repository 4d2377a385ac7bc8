#pragma once

#include "experiments/models/logp/logp.h"
#include "experiments/models/model_input.h"

/// LoPC for homogeneous all-to-any communication: what a request costs when threads contend for the
/// processors that run each other's handlers.
///
/// Every one of P nodes runs one thread, which works for W cycles, sends a request to a random
/// other node and waits for the reply. Request and reply each cross a network without contention in
/// S_l and run a handler of S_o cycles at their destination. Handlers are atomic, first come first
/// served, and interrupt the thread. Sending is free of cost; queues are infinite. Of LogP's
/// parameters, L is S_l and o_s + o_r together are S_o.
///
/// Source: Frank, Agarwal and Vernon, "LoPC: Modeling Contention in Parallel Algorithms" (1997),
/// section 4: equations (1) to (7) with (5') and (6') for handlers that are not exponential, the
/// bounds (9), and the rule of thumb of section 4.4 as LoGPC (2001), section 5.1.1, uses it.
///
/// Times are processor cycles, 0 to 1e15. Whatever is absent, negative, larger or not a number is a
/// ModelError; so is a cycle that takes no time (W + 2 S_l + 2 S_o below 1e-9). Every other point
/// has exactly one solution.
namespace weir::experiments::models {

struct LopcInputs {
    int processors = 0;                     ///< P, 2 or more
    double work_cycles = kNotGiven;         ///< W: the thread's own work between two requests
    double network_cycles = kNotGiven;      ///< S_l: one way through the network, LogP's L
    double handler_cycles = kNotGiven;      ///< S_o: one handler, its interrupt included
    double handler_squared_cv = kNotGiven;  ///< C_o^2: 0 constant handlers, 1 exponential ones
    bool protocol_processor = false;  ///< handlers run beside the thread: R_w = W (Section 4.2)
};

/// Where a request's time goes beyond its contention-free time, in cycles.
struct LopcContention {
    double interference_cycles = 0.0;      ///< R_w - W: others' requests interrupt the thread
    double request_queueing_cycles = 0.0;  ///< R_q - S_o: the request waits for handlers before it
    double reply_queueing_cycles = 0.0;    ///< R_y - S_o: the reply waits for handlers before it

    [[nodiscard]] double total_cycles() const {
        return interference_cycles + request_queueing_cycles + reply_queueing_cycles;
    }
};

struct LopcSolution {
    double response_cycles = 0.0;          ///< R: one compute/request cycle of a thread
    double thread_response_cycles = 0.0;   ///< R_w: the thread's work with its interruptions
    double request_response_cycles = 0.0;  ///< R_q: request handler with its queueing
    double reply_response_cycles = 0.0;    ///< R_y: reply handler with its queueing
    double requests_queued = 0.0;          ///< Q_q: requests at a node, waiting or in service
    double replies_queued = 0.0;           ///< Q_y: replies at a node, waiting or in service
    double handler_utilization = 0.0;      ///< U_q = U_y: share of a processor that runs requests
    double requests_per_cycle = 0.0;       ///< X: throughput of the whole machine
    LopcContention contention;             ///< R less its contention-free time, by cause
};

/// Solves (1) to (7) with (5') and (6').
LopcSolution solve_lopc_all_to_any(const LopcInputs& inputs);

struct LopcBounds {
    double lower_cycles = 0.0;  ///< W + 2 S_l + 2 S_o: contention-free, what LogP says
    double upper_cycles = 0.0;  ///< W + 2 S_l + 3.46 S_o
};

/// The bounds (9) on R, strict for S_o > 0. They hold for constant handlers; C_o^2 other than 0 is
/// a ModelError.
LopcBounds lopc_response_bounds(const LopcInputs& inputs);

/// The rule of thumb: contention adds one more handler to each request, C_r = o_r + o_s.
double lopc_rule_of_thumb_contention_cycles(const LogpInputs& inputs);

/// The round trip by the rule of thumb: W + 2(o_s + L + o_r) + C_r. Table 4 of LoGPC calls this
/// LoPC.
double lopc_rule_of_thumb_round_trip_cycles(const LogpInputs& inputs, double work_cycles);

}  // namespace weir::experiments::models
