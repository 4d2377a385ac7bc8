#include <algorithm>

#include "experiments/models/lopc/lopc_client_server.h"
#include "experiments/models/lopc/lopc_fixed_point.h"
#include "experiments/models/lopc/lopc_machine_inputs.h"
#include "experiments/models/lopc/lopc_models.h"
#include "experiments/models/lopc/lopc_mva.h"

namespace weir::experiments::models {
namespace {

class ClientServer final : public Model {
  public:
    ClientServer()
        : Model("lopc-client-server", "A workpile: how many of the nodes should serve?",
                "LoPC (1997), section 5") {}

  private:
    CountInput processors_{
        *this, "processors", "P", "Nodes, servers and clients together", {2.0, 65536.0}};
    CountInput servers_{*this,          "servers",
                        "P_s",          "Nodes that serve; 0 takes the best whole number",
                        {0.0, 65535.0}, 0};
    QuantityInput work_cycles_{*this, "work_cycles", "W", "A client's work on a chunk"};
    LopcMachineInputs machine_{*this};

    Output servers_used_{*this, "servers_used", "P_s", "Servers of what follows"};
    Output response_cycles_{*this, "response_cycles", "R", "A client's turn", "(17)"};
    Output server_response_cycles_{*this, "server_response_cycles", "R_s",
                                   "A request at its server, queueing and service", "(14)"};
    Output contention_cycles_{*this, "contention_cycles", "R_s - S_o",
                              "Of it: the request waits for the server", "(14)"};
    Output requests_at_server_{*this, "requests_at_server", "Q_s",
                               "Requests at each server, waiting or in service", "(10)"};
    Output server_utilization_{*this, "server_utilization", "U_s",
                               "Share of a server's time that it serves", "(13)"};
    Output requests_per_cycle_{*this, "requests_per_cycle", "X", "Throughput of the whole machine",
                               "(11)"};
    Output server_bound_per_cycle_{*this, "server_bound_requests_per_cycle", "X_s",
                                   "The most that the servers allow", "Section 5"};
    Output client_bound_per_cycle_{*this, "client_bound_requests_per_cycle", "X_c",
                                   "The most that the clients can ask", "Section 5"};
    Output exact_per_cycle_{*this, "exact_requests_per_cycle", "X",
                            "By exact mean value analysis, if C_o^2 is 1", "Section 3.2"};
    Output best_servers_{*this, "best_servers", "P_s^opt", "Best number of servers, a real number",
                         "(18)"};
    Output best_whole_servers_{*this, "best_whole_servers", "", "Best whole number of servers",
                               "(11)"};
    Output best_per_cycle_{*this, "best_requests_per_cycle", "X^opt",
                           "Throughput at the real number", "(10)"};
    Output best_server_response_cycles_{*this, "best_server_response_cycles", "R_s^opt",
                                        "A request at its server there", "(16)"};
    Output contention_free_servers_{*this, "contention_free_best_servers", "",
                                    "Where the two bounds meet: LogP's choice", "Section 5"};
    OutputTable by_servers_{*this,
                            "by_servers",
                            "Throughput for each number of servers",
                            {{"servers", "Nodes that serve"},
                             {"requests_per_cycle", "Throughput of the whole machine"},
                             {"response_cycles", "A client's turn"},
                             {"requests_at_server", "Requests at each server"},
                             {"server_utilization", "Share of a server's time that it serves"},
                             {"bound_requests_per_cycle", "The lesser of the two bounds"}},
                            "Figure 10"};

    void evaluate() override {
        const LopcClientServerInputs inputs = {
            .processors = static_cast<int>(processors_.value()),
            .work_cycles = work_cycles_.value(),
            .network_cycles = machine_.network_cycles.value(),
            .handler_cycles = machine_.handler_cycles.value(),
            .handler_squared_cv = machine_.handler_squared_cv.value(),
            .send_overhead_cycles = machine_.send_overhead_cycles.value()};
        int servers = static_cast<int>(servers_.value());
        if (servers == 0) {
            servers = lopc_best_servers(inputs).whole_servers;
        }
        fill(inputs, servers);
        fill_best(inputs);
        fill_table(inputs);
        note("Figure 10 leaves W and S_l unsaid; its curves can be drawn, not checked.");
    }

    void fill(const LopcClientServerInputs& inputs, int servers) {
        const LopcClientServerSolution solution = solve_lopc_client_server(inputs, servers);
        const LopcClientServerBounds bounds = lopc_client_server_bounds(inputs, servers);
        servers_used_ = servers;
        response_cycles_ = solution.response_cycles;
        server_response_cycles_ = solution.server_response_cycles;
        contention_cycles_ = solution.server_queueing_cycles;
        requests_at_server_ = solution.requests_at_server;
        server_utilization_ = solution.server_utilization;
        requests_per_cycle_ = solution.requests_per_cycle;
        if (bounds.by_servers_per_cycle) {
            server_bound_per_cycle_ = *bounds.by_servers_per_cycle;
        }
        client_bound_per_cycle_ = bounds.by_clients_per_cycle;
        if (inputs.handler_squared_cv == 1.0) {
            exact_per_cycle_ =
                solve_lopc_exact_mva_client_server(inputs, servers).requests_per_cycle;
        }
    }

    void fill_best(const LopcClientServerInputs& inputs) {
        if (inputs.handler_cycles + inputs.send_overhead_cycles < kLopcShortestTurn) {
            note("Serving costs nothing: the fewest servers are best.");
            return;
        }
        const LopcBestServers best = lopc_best_servers(inputs);
        best_servers_ = best.servers;
        best_whole_servers_ = best.whole_servers;
        best_per_cycle_ = best.requests_per_cycle;
        best_server_response_cycles_ = best.server_response_cycles;
        contention_free_servers_ = best.contention_free_servers;
        if (best.servers < 1.0 || best.servers > inputs.processors - 1) {
            note("The best real number of servers is outside 1 to P - 1.");
        }
    }

    void fill_table(const LopcClientServerInputs& inputs) {
        for (int servers = 1; servers < inputs.processors; ++servers) {
            const LopcClientServerSolution solution = solve_lopc_client_server(inputs, servers);
            const LopcClientServerBounds bounds = lopc_client_server_bounds(inputs, servers);
            const double by_clients = bounds.by_clients_per_cycle;
            by_servers_.add_row(
                {static_cast<double>(servers), solution.requests_per_cycle,
                 solution.response_cycles, solution.requests_at_server, solution.server_utilization,
                 std::min(by_clients, bounds.by_servers_per_cycle.value_or(by_clients))});
        }
    }
};

}  // namespace

Models lopc_client_server_models() {
    Models models;
    models.push_back(std::make_unique<ClientServer>());
    return models;
}

}  // namespace weir::experiments::models
