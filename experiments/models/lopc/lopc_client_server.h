#pragma once

#include <optional>

#include "experiments/models/model_input.h"

/// LoPC for client-server programs such as a workpile: how many of P nodes should serve?
///
/// P_s nodes serve and P_c = P - P_s are clients. A client works for W cycles, sends a request to a
/// random server and waits for the reply. The network takes S_l one way, each handler S_o. Servers
/// run handlers only, first come first served; a client receives nothing but its own reply, so that
/// nothing interrupts it and its reply never queues. (A protocol processor would change nothing.)
///
/// Source: Frank, Agarwal and Vernon, "LoPC: Modeling Contention in Parallel Algorithms" (1997),
/// section 5, equations (10) to (18). In the text we have, (12) has R_s + R_s for R_s + R in its
/// denominator, and the numerator of (18) has all of 2(C_o^2 + 1)/2 under its root, where (16) has
/// half the root of 2(C_o^2 + 1). Here they are as they follow from (10), (11), (16) and (17). The
/// paper argues that throughput is largest where each server holds one request on average. For
/// these equations that is exact: if a request queues for q services, P/X in services is a constant
/// plus q + (C_o^2 + 1)/(2q), least at q^2 = (C_o^2 + 1)/2, and there Q_s is 1.
///
/// With a cost of sending o_s (0 in the paper; see lopc_all_to_any.h) the client composes its
/// request in o_s and a server is busy for S_o + o_s a request.
///
/// Times are processor cycles, 0 to 1e15. Whatever is absent, negative, larger or not a number is a
/// ModelError; so is a cycle that takes no time (below 1e-9), or a best number of servers where
/// serving costs nothing. Every other point has exactly one solution.
namespace weir::experiments::models {

struct LopcClientServerInputs {
    int processors = 0;                     ///< P, 2 or more
    double work_cycles = kNotGiven;         ///< W: a client's own work between two requests
    double network_cycles = kNotGiven;      ///< S_l: one way through the network
    double handler_cycles = kNotGiven;      ///< S_o: one handler, its interrupt included
    double handler_squared_cv = kNotGiven;  ///< C_o^2: 0 constant handlers, 1 exponential ones
    double send_overhead_cycles = 0.0;      ///< o_s: composing and launching a message
};

struct LopcClientServerSolution {
    double response_cycles = 0.0;         ///< R: a client's turn, (17)
    double server_response_cycles = 0.0;  ///< R_s: a request at its server, queueing and service
    double server_queueing_cycles = 0.0;  ///< R_s less the service: all the contention there is
    double requests_at_server = 0.0;      ///< Q_s: at each server, waiting or in service
    double server_utilization = 0.0;      ///< U_s
    double requests_per_cycle = 0.0;      ///< X: throughput of the whole machine, (11)
};

/// (10), (11), (13), (14) and (17) for 1 to P - 1 servers: they come to one quadratic.
LopcClientServerSolution solve_lopc_client_server(const LopcClientServerInputs& inputs,
                                                  int servers);

/// What throughput can't exceed, contention or not (section 5).
struct LopcClientServerBounds {
    std::optional<double> by_servers_per_cycle;  ///< P_s/S_o; none where serving costs nothing
    double by_clients_per_cycle = 0.0;           ///< P_c/(W + 2 S_l + 2 S_o)
};
LopcClientServerBounds lopc_client_server_bounds(const LopcClientServerInputs& inputs, int servers);

struct LopcBestServers {
    double servers = 0.0;                  ///< P_s^opt, a real number, (18)
    double requests_per_cycle = 0.0;       ///< X^opt = P_s^opt/R_s^opt, (10)
    double server_response_cycles = 0.0;   ///< R_s^opt, (16)
    double server_utilization = 0.0;       ///< U_s^opt, (13)
    int whole_servers = 0;                 ///< the whole number of servers with the most throughput
    double contention_free_servers = 0.0;  ///< where the two bounds meet: what LogP would choose
};
LopcBestServers lopc_best_servers(const LopcClientServerInputs& inputs);

}  // namespace weir::experiments::models
