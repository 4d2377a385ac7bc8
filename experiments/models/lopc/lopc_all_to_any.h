#pragma once

#include "experiments/models/logp/logp.h"
#include "experiments/models/model_input.h"

/// LoPC for homogeneous all-to-any communication: the time of a request if threads contend for the
/// processors that run each other's handlers.
///
/// Each of P nodes runs one thread, which works for W cycles, sends a request to a random other
/// node and waits for the reply. Request and reply each cross a network without contention in S_l
/// and run a handler of S_o cycles at their destination. Handlers are atomic, first come first
/// served, and interrupt the thread. Queues are infinite.
///
/// In the paper sends cost nothing, so S_o is a whole handler, LogP's o_s + o_r together. The paper
/// says that a cost of sending can be added (section 3.1.2), which this model does. With o_s, S_o
/// is the cost of receiving alone. The thread composes its request in o_s, which can be interrupted
/// like W. A request handler sends the reply, and takes S_o + o_s; a reply handler takes S_o. The
/// contention-free time is then LogP's W + 2(o_s + L + o_r). With o_s = 0 the equations are the
/// paper's.
///
/// Source: Frank, Agarwal and Vernon, "LoPC: Modeling Contention in Parallel Algorithms" (1997),
/// section 4. Equations (1) to (7) with (5') and (6') for handlers that are not exponential, and
/// the bounds (9). The rule of thumb of section 4.4 is that of LoGPC (2001), section 5.1.1.
///
/// Times are processor cycles, 0 to 1e15. Inputs that are absent, negative, larger or not a number
/// are a ModelError. A round trip that takes no time (W + 2 S_l + 2 S_o + 2 o_s below 1e-9) is a
/// ModelError, too. All other inputs have exactly one solution.
namespace weir::experiments::models {

struct LopcInputs {
    int processors = 0;                     ///< P: number of nodes, 2 or more
    double work_cycles = kNotGiven;         ///< W: work of a thread between two requests
    double network_cycles = kNotGiven;      ///< S_l: network latency one way, LogP's L
    double handler_cycles = kNotGiven;      ///< S_o: one handler, its interrupt included
    double handler_squared_cv = kNotGiven;  ///< C_o^2: 0 constant handlers, 1 exponential ones
    bool protocol_processor = false;    ///< handlers run beside the thread: R_w = W (Section 4.2)
    double send_overhead_cycles = 0.0;  ///< o_s: composing and launching a message, 0 in the paper
};

/// Contention of a round trip by cause, in cycles.
struct LopcContention {
    double interference_cycles = 0.0;      ///< R_w - W - o_s: request handlers interrupt the thread
    double request_queueing_cycles = 0.0;  ///< R_q - S_o: the request waits for earlier handlers
    double reply_queueing_cycles = 0.0;    ///< R_y - S_o: the reply waits for earlier handlers

    [[nodiscard]] double total_cycles() const {
        return interference_cycles + request_queueing_cycles + reply_queueing_cycles;
    }
};

struct LopcSolution {
    double response_cycles = 0.0;         ///< R: round trip of a thread
    double thread_response_cycles = 0.0;  ///< R_w: the thread's work, interruptions included
    /// R_q: time of a request at its destination, queueing included.
    double request_response_cycles = 0.0;
    /// R_y: time of a reply at its destination, queueing included.
    double reply_response_cycles = 0.0;
    double requests_queued = 0.0;      ///< Q_q: requests at a node, waiting or in service
    double replies_queued = 0.0;       ///< Q_y: replies at a node, waiting or in service
    double handler_utilization = 0.0;  ///< U_q: share of a processor's time for requests
    double reply_utilization = 0.0;    ///< U_y: share for replies; equals U_q unless o_s > 0
    double requests_per_cycle = 0.0;   ///< X: throughput of the whole machine
    LopcContention contention;         ///< R less its contention-free time, by cause
};

/// Solves (1) to (7) with (5') and (6').
LopcSolution solve_lopc_all_to_any(const LopcInputs& inputs);

struct LopcBounds {
    double lower_cycles = 0.0;  ///< W + 2 S_l + 2 S_o: LogP's time, without contention
    double upper_cycles = 0.0;  ///< W + 2 S_l + 3.46 S_o: upper bound for constant handlers
};

/// Bounds (9) on R, strict for S_o > 0. They hold for constant handlers and sends without overhead;
/// C_o^2 or o_s other than 0 is a ModelError.
LopcBounds lopc_response_bounds(const LopcInputs& inputs);

/// Round trip without contention, LogP's time: W + 2 S_l + 2 S_o + 2 o_s.
double lopc_contention_free_cycles(const LopcInputs& inputs);

/// Largest contention with these handlers over all W and S_l, which is that of W = S_l = 0. For
/// C_o^2 = o_s = 0 it is 1.4517 S_o, which (9) rounds up to 1.46. The paper notes that other C_o^2
/// change only the constant.
double lopc_worst_contention_cycles(const LopcInputs& inputs);

/// Contention of a round trip by the rule of thumb: one more handler, C_r = o_r + o_s.
double lopc_rule_of_thumb_contention_cycles(const LogpInputs& inputs);

/// Round trip by the rule of thumb: W + 2(o_s + L + o_r) + C_r. Table 4 of LoGPC calls it LoPC.
double lopc_rule_of_thumb_round_trip_cycles(const LogpInputs& inputs, double work_cycles);

}  // namespace weir::experiments::models
