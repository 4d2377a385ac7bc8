#pragma once

#include <optional>

#include "experiments/models/model_input.h"

/// LoPC for client-server programs such as a workpile, and the best number of servers among P
/// nodes.
///
/// P_s nodes serve and P_c = P - P_s are clients. A client works for W cycles, sends a request to a
/// random server and waits for the reply. A trip through the network takes S_l, each handler S_o.
/// Servers only run handlers, first come first served. A client receives nothing but its own reply,
/// so it is never interrupted and its reply never queues. (A protocol processor would change
/// nothing.)
///
/// Source: Frank, Agarwal and Vernon, "LoPC: Modeling Contention in Parallel Algorithms" (1997),
/// section 5, equations (10) to (18). Our copy of the text has errors. The paper's (12) has R_s +
/// R_s in the denominator for R_s + R. In the paper's (18) the root contains all of 2(C_o^2 + 1)/2,
/// where (16) has half the root of 2(C_o^2 + 1). This file has both equations as they follow from
/// (10), (11), (16) and (17). The paper argues that throughput is largest when each server holds
/// one request on average. For these equations that is exact: if a request queues for q services,
/// P/X in services is a constant plus q + (C_o^2 + 1)/(2q). This sum is least at q^2 = (C_o^2 +
/// 1)/2, where Q_s is 1.
///
/// With a cost of sending o_s (0 in the paper; see lopc_all_to_any.h) the client composes its
/// request in o_s. A request keeps a server busy for S_o + o_s.
///
/// Times are processor cycles, 0 to 1e15. Inputs that are absent, negative, larger or not a number
/// are a ModelError. Further ModelErrors are a round trip that takes no time (below 1e-9), and the
/// question for the best number of servers if serving costs nothing. All other inputs have exactly
/// one solution.
namespace weir::experiments::models {

struct LopcClientServerInputs {
    int processors = 0;                     ///< P: number of nodes, 2 or more
    double work_cycles = kNotGiven;         ///< W: work of a client between two requests
    double network_cycles = kNotGiven;      ///< S_l: network latency one way
    double handler_cycles = kNotGiven;      ///< S_o: one handler, its interrupt included
    double handler_squared_cv = kNotGiven;  ///< C_o^2: 0 constant handlers, 1 exponential ones
    double send_overhead_cycles = 0.0;      ///< o_s: composing and launching a message
};

struct LopcClientServerSolution {
    double response_cycles = 0.0;         ///< R: round trip of a client, (17)
    double server_response_cycles = 0.0;  ///< R_s: a request at its server, queueing and service
    double server_queueing_cycles = 0.0;  ///< R_s less the service: all contention of a round trip
    double requests_at_server = 0.0;      ///< Q_s: requests at each server, waiting or in service
    double server_utilization = 0.0;      ///< U_s
    double requests_per_cycle = 0.0;      ///< X: throughput of the whole machine, (11)
};

/// Solves (10), (11), (13), (14) and (17), together one quadratic, for 1 to P - 1 servers.
LopcClientServerSolution solve_lopc_client_server(const LopcClientServerInputs& inputs,
                                                  int servers);

/// Upper bounds on throughput without contention (section 5).
struct LopcClientServerBounds {
    std::optional<double> by_servers_per_cycle;  ///< P_s/S_o; empty if serving costs nothing
    double by_clients_per_cycle = 0.0;           ///< P_c/(W + 2 S_l + 2 S_o)
};
LopcClientServerBounds lopc_client_server_bounds(const LopcClientServerInputs& inputs, int servers);

struct LopcBestServers {
    /// P_s^opt: best number of servers as a real number, (18).
    double servers = 0.0;
    /// X^opt = P_s^opt/R_s^opt: throughput with P_s^opt servers, (10).
    double requests_per_cycle = 0.0;
    /// R_s^opt: time of a request at its server with P_s^opt servers, (16).
    double server_response_cycles = 0.0;
    /// U_s^opt: utilization of a server with P_s^opt servers, (13).
    double server_utilization = 0.0;
    int whole_servers = 0;  ///< the whole number of servers with the most throughput
    /// Number of servers at which both bounds meet: the choice by LogP.
    double contention_free_servers = 0.0;
};
LopcBestServers lopc_best_servers(const LopcClientServerInputs& inputs);

}  // namespace weir::experiments::models
