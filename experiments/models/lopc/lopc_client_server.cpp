#include "experiments/models/lopc/lopc_client_server.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/lopc/lopc_checks.h"
#include "experiments/models/lopc/lopc_fixed_point.h"
#include "experiments/models/lopc/lopc_mva.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

/// Time of a server's handler, which also sends the reply.
double service_cycles(const LopcClientServerInputs& inputs) {
    return inputs.handler_cycles + inputs.send_overhead_cycles;
}

double contention_free_cycles(const LopcClientServerInputs& inputs) {
    return inputs.work_cycles + 2.0 * inputs.network_cycles + 2.0 * service_cycles(inputs);
}

void check(const LopcClientServerInputs& inputs) {
    check_lopc_alike_nodes(inputs);
    if (contention_free_cycles(inputs) < kLopcShortestRoundTrip) {
        throw ModelError(
            "work_cycles (W), network_cycles (S_l) and handler_cycles (S_o): W + 2 S_l + 2 S_o + 2 "
            "o_s is " +
                shortest_text(contention_free_cycles(inputs)),
            shortest_text(kLopcShortestRoundTrip) + " cycles or more");
    }
}

void check(const LopcClientServerInputs& inputs, int servers) {
    check(inputs);
    if (servers < 1 || servers >= inputs.processors) {
        throw ModelError("servers (P_s) is " + std::to_string(servers),
                         "1 to " + std::to_string(inputs.processors - 1) +
                             " nodes, which leaves at least one client");
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

    // The queueing time is c = R_s - S, a server's load A = S P_c/P_s. (14) with (10), (11), (13)
    // and (17) is then
    //   c^2 + (R_0 - A) c - A S (C_o^2 + 1)/2 = 0.
    // The product of the roots is not positive, so one root is 0 or more. The form used depends
    // on the sign of R_0 - A, to avoid cancellation.
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
    if (const double service = service_cycles(inputs); service >= kLopcShortestRoundTrip) {
        bounds.by_servers_per_cycle = servers / service;
    }
    bounds.by_clients_per_cycle = (inputs.processors - servers) / contention_free_cycles(inputs);
    return bounds;
}

LopcBestServers lopc_best_servers(const LopcClientServerInputs& inputs) {
    check(inputs);
    const double service = service_cycles(inputs);
    const double contention_free = contention_free_cycles(inputs);
    if (service < kLopcShortestRoundTrip) {
        throw ModelError(
            "handler_cycles (S_o) is " + shortest_text(inputs.handler_cycles),
            "S_o + o_s of " + shortest_text(kLopcShortestRoundTrip) +
                " cycles or more: if serving costs nothing, the fewest servers are best");
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

    // Throughput rises up to the real optimum and falls beyond it, so the best whole number is next
    // to the optimum.
    const int below = std::clamp(static_cast<int>(best.servers), 1, inputs.processors - 1);
    const int above = std::min(below + 1, inputs.processors - 1);
    const auto throughput = [&](int servers) {
        return solve_lopc_client_server(inputs, servers).requests_per_cycle;
    };
    best.whole_servers = throughput(above) > throughput(below) ? above : below;
    return best;
}

namespace {

class ClientServer final : public Model {
  public:
    ClientServer()
        : Model("lopc-client-server",
                "Client-server programs such as a workpile, and the best number of servers",
                "LoPC (1997), section 5") {
        input(WEIR_NAMED(in_, processors), "P", "Number of nodes, servers and clients together",
              {2.0, 65536.0});
        input(servers_, "servers", "P_s", "Number of servers; 0: the best whole number",
              {0.0, 65535.0});
        input(WEIR_NAMED(in_, work_cycles), "W", "Work of a client on a chunk");
        declare_lopc_machine(*this, in_);

        output(servers_used_, "servers_used", "P_s", "Number of servers in the results below");
        output(WEIR_NAMED(out_, response_cycles), "R",
               "Time of a client's round trip: work, request and reply", "(17)");
        output(WEIR_NAMED(out_, server_response_cycles), "R_s",
               "Time of a request at its server, queueing and service", "(14)");
        output(out_.server_queueing_cycles, "contention_cycles", "R_s - S_o",
               "Contention: time that a request waits for its server", "(14)");
        output(WEIR_NAMED(out_, requests_at_server), "Q_s",
               "Number of requests at each server, waiting or in service", "(10)");
        output(WEIR_NAMED(out_, server_utilization), "U_s", "Share of time that a server is busy",
               "(13)");
        output(WEIR_NAMED(out_, requests_per_cycle), "X",
               "Throughput of the whole machine in requests per cycle", "(11)");
        output(bounds_.by_servers_per_cycle, "server_bound_requests_per_cycle", "X_s",
               "Upper bound on throughput by the servers", "Section 5");
        output(bounds_.by_clients_per_cycle, "client_bound_requests_per_cycle", "X_c",
               "Upper bound on throughput by the clients", "Section 5");
        output(
            [this] {
                return in_.handler_squared_cv == 1.0
                           ? std::optional(solve_lopc_exact_mva_client_server(in_, servers_used_)
                                               .requests_per_cycle)
                           : std::nullopt;
            },
            "exact_requests_per_cycle", "X",
            "Throughput by exact mean value analysis; empty unless C_o^2 is 1", "Section 3.2");
        output(best_, &LopcBestServers::servers, "best_servers", "P_s^opt",
               "Number of servers with the highest throughput, as a real number", "(18)");
        output(best_, &LopcBestServers::whole_servers, "best_whole_servers", "",
               "Whole number of servers with the highest throughput", "(11)");
        output(best_, &LopcBestServers::requests_per_cycle, "best_requests_per_cycle", "X^opt",
               "Throughput with the best real number of servers", "(10)");
        output(best_, &LopcBestServers::server_response_cycles, "best_server_response_cycles",
               "R_s^opt", "Time of a request at its server with the best real number of servers",
               "(16)");
        output(best_, &LopcBestServers::contention_free_servers, "contention_free_best_servers", "",
               "Number of servers at which both bounds meet: LogP's choice", "Section 5");
    }

  private:
    void evaluate() override {
        servers_used_ = servers_ == 0 ? lopc_best_servers(in_).whole_servers : servers_;
        out_ = solve_lopc_client_server(in_, servers_used_);
        bounds_ = lopc_client_server_bounds(in_, servers_used_);
        best_.reset();
        if (service_cycles(in_) < kLopcShortestRoundTrip) {
            note("Serving costs nothing, so the fewest servers are best.");
        } else {
            best_ = lopc_best_servers(in_);
            if (best_->servers < 1.0 || best_->servers > in_.processors - 1) {
                note("The best real number of servers is outside 1 to P - 1.");
            }
        }
        for (int servers = 1; servers < in_.processors; ++servers) {
            const LopcClientServerSolution solution = solve_lopc_client_server(in_, servers);
            const LopcClientServerBounds bounds = lopc_client_server_bounds(in_, servers);
            const double by_clients = bounds.by_clients_per_cycle;
            by_servers_.add_numbers(
                servers, solution.requests_per_cycle, solution.response_cycles,
                solution.requests_at_server, solution.server_utilization,
                std::min(by_clients, bounds.by_servers_per_cycle.value_or(by_clients)));
        }
        note("The paper does not give W and S_l of Figure 10, so its curves cannot be checked.");
    }

    LopcClientServerInputs in_;
    int servers_ = 0;
    int servers_used_ = 0;
    LopcClientServerSolution out_;
    LopcClientServerBounds bounds_;
    std::optional<LopcBestServers> best_;
    OutputTable by_servers_{
        *this,
        "by_servers",
        "Throughput for each number of servers",
        {{"servers", "Number of servers"},
         {"requests_per_cycle", "Throughput of the whole machine in requests per cycle"},
         {"response_cycles", "Time of a client's round trip: work, request and reply"},
         {"requests_at_server", "Number of requests at each server, waiting or in service"},
         {"server_utilization", "Share of time that a server is busy"},
         {"bound_requests_per_cycle", "Smaller of the two upper bounds on throughput"}},
        "Figure 10"};
};

}  // namespace

std::unique_ptr<Model> lopc_client_server_model() { return std::make_unique<ClientServer>(); }

}  // namespace weir::experiments::models
