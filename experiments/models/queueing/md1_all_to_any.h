#pragma once

#include "experiments/models/lopc/lopc_all_to_any.h"
#include "experiments/models/model_input.h"

/// A textbook's estimate of all-to-any requests and replies: every node is an M/D/1 queue.
///
/// As in LoPC (lopc_all_to_any.h), each node runs a thread that works for W cycles, sends a request
/// to a random other node and waits for the reply; every trip through the network takes S_l, every
/// handler S_o, and handlers interrupt the thread. Requests come to a node at the rate 1/R, one a
/// turn of R cycles, and are taken to be a Poisson stream. A message then waits
/// W_q = rho S_o / (2 (1 - rho)) with rho = S_o / R (Pollaczek and Khinchine; Kleinrock, Queueing
/// Systems, Volume 1, 1975, Chapter 5), and rho + W_q / R requests are at a node on average, in
/// service or waiting. They interrupt the thread as in LoPC's (7).
///
/// Next to LoPC it neglects that replies are handled, too: they wait for requests, and no request
/// waits for them. And its arrivals know nothing of one another, where P - 1 threads have one
/// message each on its way.
///
/// Times are processor cycles, 0 to 1e15. Whatever is absent, negative, larger or not a number is a
/// ModelError; so is a turn that takes no time (W + 2 S_l + 2 S_o below 1e-9). Every other point
/// has exactly one solution.
namespace weir::experiments::models {

struct Md1Inputs {
    double work_cycles = kNotGiven;     ///< W: the thread's own work between two requests
    double network_cycles = kNotGiven;  ///< S_l: one way through the network, LogP's L
    double handler_cycles = kNotGiven;  ///< S_o: one handler, its interrupt included
    bool protocol_processor = false;    ///< handlers run beside the thread
};

struct Md1Solution {
    double response_cycles = 0.0;         ///< R: work, request and reply
    double contention_free_cycles = 0.0;  ///< W + 2 S_l + 2 S_o
    double utilization = 0.0;             ///< rho: share of a processor that runs requests
    double requests_at_node = 0.0;        ///< in service and waiting
    LopcContention contention;            ///< R less its contention-free time, by cause
};

Md1Solution solve_md1_all_to_any(const Md1Inputs& inputs);

}  // namespace weir::experiments::models
