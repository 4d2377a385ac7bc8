#include "experiments/models/lopc/lopc_client_server.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "experiments/models/lopc/lopc_checks.h"
#include "experiments/models/lopc/lopc_fixed_point.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

/// A server's handler: it sends the reply.
double service_cycles(const LopcClientServerInputs& inputs) {
    return inputs.handler_cycles + inputs.send_overhead_cycles;
}

double contention_free_cycles(const LopcClientServerInputs& inputs) {
    return inputs.work_cycles + 2.0 * inputs.network_cycles + 2.0 * service_cycles(inputs);
}

void check(const LopcClientServerInputs& inputs) {
    check_lopc_alike_nodes(inputs);
    if (contention_free_cycles(inputs) < kLopcShortestTurn) {
        throw ModelError(
            "work_cycles (W), network_cycles (S_l) and handler_cycles (S_o): W + 2 S_l + 2 S_o + 2 "
            "o_s is " +
                shortest_text(contention_free_cycles(inputs)),
            shortest_text(kLopcShortestTurn) + " cycles or more");
    }
}

void check(const LopcClientServerInputs& inputs, int servers) {
    check(inputs);
    if (servers < 1 || servers >= inputs.processors) {
        throw ModelError(
            "servers (P_s) is " + std::to_string(servers),
            "1 to " + std::to_string(inputs.processors - 1) + " nodes, so that a client is left");
    }
}

}  // namespace

LopcClientServerSolution solve_lopc_client_server(const LopcClientServerInputs& inputs,
                                                  int servers) {
    check(inputs, servers);
    const double service = service_cycles(inputs);
    const double contention_free = contention_free_cycles(inputs);
    const double clients = inputs.processors - servers;
    const double clients_per_server = clients / servers;

    // (14) with (10), (11), (13) and (17), in the queueing time c = R_s - S and the load
    // A = S P_c/P_s that all clients together hold for a server:
    //   c^2 + (R_0 - A) c - A S (C_o^2 + 1)/2 = 0.
    // The product of the roots isn't positive, so one root is; the form depends on the sign of
    // R_0 - A so that nothing cancels.
    const double load = service * clients_per_server;
    const double slack = contention_free - load;
    const double product = 0.5 * load * service * (inputs.handler_squared_cv + 1.0);
    const double root = std::sqrt(slack * slack + 4.0 * product);
    double queueing = 0.0;
    if (slack < 0.0) {
        queueing = 0.5 * (root - slack);
    } else if (product > 0.0) {
        queueing = 2.0 * product / (slack + root);
    }

    const double response = contention_free + queueing;    // (17)
    const double requests_per_cycle = clients / response;  // (11)
    const double at_server = clients_per_server / response;
    return {
        .response_cycles = response,
        .server_response_cycles = service + queueing,
        .server_queueing_cycles = queueing,
        .requests_at_server = at_server * (service + queueing),  // (10)
        .server_utilization = at_server * service,               // (13)
        .requests_per_cycle = requests_per_cycle,
    };
}

LopcClientServerBounds lopc_client_server_bounds(const LopcClientServerInputs& inputs,
                                                 int servers) {
    check(inputs, servers);
    LopcClientServerBounds bounds;
    if (const double service = service_cycles(inputs); service >= kLopcShortestTurn) {
        bounds.by_servers_per_cycle = servers / service;
    }
    bounds.by_clients_per_cycle = (inputs.processors - servers) / contention_free_cycles(inputs);
    return bounds;
}

LopcBestServers lopc_best_servers(const LopcClientServerInputs& inputs) {
    check(inputs);
    const double service = service_cycles(inputs);
    const double contention_free = contention_free_cycles(inputs);
    if (service < kLopcShortestTurn) {
        throw ModelError(
            "handler_cycles (S_o) is " + shortest_text(inputs.handler_cycles),
            "S_o + o_s of " + shortest_text(kLopcShortestTurn) +
                " cycles or more: where serving costs nothing the fewest servers are best");
    }
    LopcBestServers best;
    const double queueing = service * std::sqrt(2.0 * (inputs.handler_squared_cv + 1.0)) / 2.0;
    best.server_response_cycles = service + queueing;                 // (16)
    best.server_utilization = service / best.server_response_cycles;  // (13)
    const double response = contention_free + queueing;               // (17)
    best.servers = inputs.processors * best.server_response_cycles /
                   (best.server_response_cycles + response);               // (12), which is (18)
    best.requests_per_cycle = best.servers / best.server_response_cycles;  // (10)
    best.contention_free_servers = inputs.processors * service / (service + contention_free);

    // Throughput rises up to the real optimum and falls beyond it, so a neighbour is the best whole
    // number.
    const int below = std::clamp(static_cast<int>(best.servers), 1, inputs.processors - 1);
    const int above = std::min(below + 1, inputs.processors - 1);
    const auto throughput = [&](int servers) {
        return solve_lopc_client_server(inputs, servers).requests_per_cycle;
    };
    best.whole_servers = throughput(above) > throughput(below) ? above : below;
    return best;
}

}  // namespace weir::experiments::models
