#pragma once

#include "experiments/models/logp/logp.h"
#include "experiments/models/model_input.h"

/// LoPC for homogeneous all-to-any communication: what a request costs when threads contend for the
/// processors that run each other's handlers.
///
/// Every one of P nodes runs one thread, which works for W cycles, sends a request to a random
/// other node and waits for the reply. Request and reply each cross a network without contention in
/// S_l and run a handler of S_o cycles at their destination. Handlers are atomic, first come first
/// served, and interrupt the thread. Queues are infinite.
///
/// The paper's sends are free of cost, so S_o is a whole handler, LogP's o_s + o_r together. It
/// says that a cost of sending can be added (section 3.1.2), and that is done here: with o_s, S_o
/// is what receiving costs alone; the thread composes its request in o_s, which interrupts it like
/// W, and a request handler sends the reply, so it is busy for S_o + o_s and a reply handler for
/// S_o. The contention-free time is then LogP's W + 2(o_s + L + o_r). With o_s = 0 the equations
/// are the paper's.
///
/// Source: Frank, Agarwal and Vernon, "LoPC: Modeling Contention in Parallel Algorithms" (1997),
/// section 4: equations (1) to (7) with (5') and (6') for handlers that are not exponential, the
/// bounds (9), and the rule of thumb of section 4.4 as LoGPC (2001), section 5.1.1, uses it.
///
/// Times are processor cycles, 0 to 1e15. Whatever is absent, negative, larger or not a number is a
/// ModelError; so is a cycle that takes no time (W + 2 S_l + 2 S_o + 2 o_s below 1e-9). Every other
/// point has exactly one solution.
namespace weir::experiments::models {

struct LopcInputs {
    int processors = 0;                     ///< P, 2 or more
    double work_cycles = kNotGiven;         ///< W: the thread's own work between two requests
    double network_cycles = kNotGiven;      ///< S_l: one way through the network, LogP's L
    double handler_cycles = kNotGiven;      ///< S_o: one handler, its interrupt included
    double handler_squared_cv = kNotGiven;  ///< C_o^2: 0 constant handlers, 1 exponential ones
    bool protocol_processor = false;    ///< handlers run beside the thread: R_w = W (Section 4.2)
    double send_overhead_cycles = 0.0;  ///< o_s: composing and launching a message, 0 in the paper
};

/// Where a request's time goes beyond its contention-free time, in cycles.
struct LopcContention {
    double interference_cycles = 0.0;      ///< R_w - W - o_s: others' requests interrupt the thread
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
    double handler_utilization = 0.0;      ///< U_q: share of a processor that runs requests
    double reply_utilization = 0.0;        ///< U_y: share that runs replies; U_q unless o_s > 0
    double requests_per_cycle = 0.0;       ///< X: throughput of the whole machine
    LopcContention contention;             ///< R less its contention-free time, by cause
};

/// Solves (1) to (7) with (5') and (6').
LopcSolution solve_lopc_all_to_any(const LopcInputs& inputs);

struct LopcBounds {
    double lower_cycles = 0.0;  ///< W + 2 S_l + 2 S_o: contention-free, what LogP says
    double upper_cycles = 0.0;  ///< W + 2 S_l + 3.46 S_o
};

/// The bounds (9) on R, strict for S_o > 0. They hold for constant handlers that send for nothing;
/// C_o^2 or o_s other than 0 is a ModelError.
LopcBounds lopc_response_bounds(const LopcInputs& inputs);

/// W + 2 S_l + 2 S_o + 2 o_s: the cycle if nothing contends, LogP's time.
double lopc_contention_free_cycles(const LopcInputs& inputs);

/// The most that contention can come to with these handlers, whatever W and S_l: what it is without
/// any (W = S_l = 0). For C_o^2 = o_s = 0 that is 1.4517 S_o, which (9) rounds up to 1.46; the
/// paper notes that other C_o^2 change only the constant.
double lopc_worst_contention_cycles(const LopcInputs& inputs);

/// The rule of thumb: contention adds one more handler to each request, C_r = o_r + o_s.
double lopc_rule_of_thumb_contention_cycles(const LogpInputs& inputs);

/// The round trip by the rule of thumb: W + 2(o_s + L + o_r) + C_r. Table 4 of LoGPC calls this
/// LoPC.
double lopc_rule_of_thumb_round_trip_cycles(const LogpInputs& inputs, double work_cycles);

}  // namespace weir::experiments::models
