#pragma once

#include "experiments/models/lopc/lopc_all_to_any.h"
#include "experiments/models/model_input.h"

/// Textbook estimate of all-to-any requests and replies: every node is an M/D/1 queue.
///
/// As in LoPC (lopc_all_to_any.h), each node runs a thread. The thread works for W cycles, sends a
/// request to a random other node and waits for the reply. Every trip through the network takes
/// S_l, every handler S_o, and handlers interrupt the thread. Requests arrive at a node at the rate
/// 1/R, one for each round trip, and are assumed to be a Poisson stream. A message then waits W_q =
/// rho S_o / (2 (1 - rho)) with rho = S_o / R (Pollaczek and Khinchine; Kleinrock, Queueing
/// Systems, Volume 1, 1975, Chapter 5). On average rho + W_q / R requests are at a node, waiting or
/// in service. Requests interrupt the thread as in LoPC's (7).
///
/// Compared with LoPC, two effects are neglected. Replies have handlers too: replies wait for
/// requests here, but no request waits for a reply. And arrivals are independent, although each of
/// the P - 1 other threads has at most one message in flight.
///
/// Times are processor cycles, 0 to 1e15. Inputs that are absent, negative, larger or not a number
/// are a ModelError. A round trip that takes no time (W + 2 S_l + 2 S_o below 1e-9) is a
/// ModelError, too. All other inputs have exactly one solution.
namespace weir::experiments::models {

struct Md1Inputs {
    double work_cycles = kNotGiven;     ///< W: work of a thread between two requests
    double network_cycles = kNotGiven;  ///< S_l: network latency one way, LogP's L
    double handler_cycles = kNotGiven;  ///< S_o: one handler, its interrupt included
    bool protocol_processor = false;    ///< handlers do not interrupt the thread
};

struct Md1Solution {
    double response_cycles = 0.0;         ///< R: round trip of work, request and reply
    double contention_free_cycles = 0.0;  ///< W + 2 S_l + 2 S_o
    double utilization = 0.0;             ///< rho: share of a processor's time for requests
    /// Mean number of requests at a node, waiting or in service.
    double requests_at_node = 0.0;
    LopcContention contention;  ///< R less its contention-free time, by cause
};

Md1Solution solve_md1_all_to_any(const Md1Inputs& inputs);

}  // namespace weir::experiments::models
