#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "experiments/models/lopc/lopc_machine_inputs.h"
#include "experiments/models/lopc/lopc_models.h"
#include "experiments/models/lopc/lopc_mva.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

/// All-to-any has no servers.
void refuse_servers_of_all_to_any(const ChoiceInput& pattern, const CountInput& servers) {
    if (pattern.value() == "all-to-any") {
        refuse_if_given(servers, "pattern is \"all-to-any\"", "with pattern \"client-server\"");
    }
}

constexpr const char* kSource = "LoPC (1997), appendix A";

/// What any visits between nodes come to: the same for a matrix that is given and a named pattern.
class VisitsModel : public Model {
  protected:
    using Model::Model;

    void solve_for(LopcVisits visits, const std::vector<double>& work,
                   const LopcMachineInputs& machine, bool protocol_processor) {
        const LopcGeneralInputs inputs = {
            .visits = std::move(visits),
            .work_cycles = work,
            .network_cycles = machine.network_cycles.value(),
            .handler_cycles = machine.handler_cycles.value(),
            .handler_squared_cv = machine.handler_squared_cv.value(),
            .protocol_processor = protocol_processor,
            .send_overhead_cycles = machine.send_overhead_cycles.value()};
        const LopcGeneralSolution solution = solve_lopc_general(inputs);
        // Beside an enormous work rounding may leave less than nothing.
        const double contention =
            std::max(0.0, solution.response_cycles - solution.contention_free_cycles);
        const LopcNode& busiest = solution.nodes[solution.busiest_node];
        response_cycles_ = solution.response_cycles;
        contention_free_cycles_ = solution.contention_free_cycles;
        contention_cycles_ = contention;
        contention_fraction_ = contention / solution.response_cycles;
        requests_per_cycle_ = solution.requests_per_cycle;
        busiest_node_ = static_cast<double>(solution.busiest_node);
        busiest_utilization_ = busiest.request_utilization + busiest.reply_utilization;
        substitutions_ = solution.iterations;
        schweitzer_response_cycles_ = solve_lopc_bard_schweitzer(inputs).response_cycles;
        try {
            exact_response_cycles_ = solve_lopc_exact_mva(inputs).response_cycles;
        } catch (const ModelError& error) {
            note(std::string("No exact analysis: ") + error.what());
        }
        fill_table(inputs, solution);
    }

  private:
    Output response_cycles_{*this, "response_cycles", "R", "A turn, the mean over all requests",
                            "(28)"};
    Output contention_free_cycles_{*this, "contention_free_cycles", "",
                                   "The same if nothing contended: LogP's time", "(28)"};
    Output contention_cycles_{*this, "contention_cycles", "C", "What contention adds to a turn",
                              "(28)"};
    Output contention_fraction_{*this, "contention_fraction", "C/R",
                                "Share of a turn that is contention", "(28)"};
    Output requests_per_cycle_{*this, "requests_per_cycle", "X",
                               "Throughput of all threads together", "(19)"};
    Output busiest_node_{*this, "busiest_node", "", "The node with the most handlers' time",
                         "(21), (22)"};
    Output busiest_utilization_{*this, "busiest_utilization", "U_q + U_y",
                                "Share of its processor that handlers take", "(21), (22)"};
    Output substitutions_{*this, "substitutions", "",
                          "How often the equations were put "
                          "into each other"};
    Output schweitzer_response_cycles_{*this, "schweitzer_response_cycles", "R",
                                       "A turn by Bard-Schweitzer", "Section 3.2"};
    Output exact_response_cycles_{*this, "exact_response_cycles", "R",
                                  "A turn by exact MVA, where there is one", "Section 3.2"};
    OutputTable nodes_{*this,
                       "nodes",
                       "Each node and its thread, if it asks",
                       {{"node", "Row of the visits, from 0"},
                        {"response_cycles", "R_i: the thread's turn"},
                        {"contention_free_cycles", "The turn if nothing contended"},
                        {"thread_response_cycles", "R_w: the work with its interruptions"},
                        {"request_response_cycles", "R_q: a request here"},
                        {"reply_response_cycles", "R_y: the thread's reply"},
                        {"requests_queued", "Q_q: requests here"},
                        {"replies_queued", "Q_y: replies here"},
                        {"request_utilization", "U_q"},
                        {"reply_utilization", "U_y"},
                        {"requests_per_cycle", "X_i: requests that the thread makes"}},
                       "(19) to (28)"};

    void fill_table(const LopcGeneralInputs& inputs, const LopcGeneralSolution& solution) {
        const auto of_thread = [](const LopcNode& node, double value) {
            return node.asks ? OutputTable::Cell(value) : OutputTable::Cell(std::string("none"));
        };
        for (std::size_t k = 0; k < inputs.visits.processors(); ++k) {
            const LopcNode& node = solution.nodes[k];
            nodes_.add_row({static_cast<double>(k), of_thread(node, node.response_cycles),
                            of_thread(node, node.contention_free_cycles),
                            of_thread(node, node.thread_response_cycles),
                            node.request_response_cycles,
                            of_thread(node, node.reply_response_cycles), node.requests_queued,
                            node.replies_queued, node.request_utilization, node.reply_utilization,
                            node.requests_per_cycle});
        }
    }
};

class General final : public VisitsModel {
  public:
    General()
        : VisitsModel("lopc-general", "Threads whose requests visit nodes as a matrix says",
                      kSource) {}

  private:
    MatrixInput visits_{
        *this, "visits", "V", "Visits of a request: a row a thread, a column a node", {0.0, 1e6}};
    ListInput work_cycles_{*this, "work_cycles", "W",
                           "Work between two requests: one a thread, or one for all"};
    LopcMachineInputs machine_{*this};
    FlagInput protocol_processor_{*this, "protocol_processor",
                                  "Handlers run beside the thread: shared memory (4.2)"};

    void evaluate() override {
        solve_for(lopc_visits(visits_.value()), work_cycles_.value(), machine_,
                  protocol_processor_.value());
    }
};

class Pattern final : public VisitsModel {
  public:
    Pattern()
        : VisitsModel("lopc-pattern", "The general model, its visits drawn up from a pattern",
                      kSource) {}

  private:
    ChoiceInput pattern_{*this,
                         "pattern",
                         "all-to-any, or client-server, servers first",
                         {"all-to-any", "client-server"}};
    CountInput processors_{*this, "processors", "P", "Nodes", {2.0, 2048.0}};
    CountInput servers_{*this,         "servers", "P_s", "Nodes that serve, if client-server",
                        {1.0, 2047.0}, 1};
    QuantityInput visits_per_request_{
        *this,      "visits_per_request",
        "",         "Nodes a request visits in turn; 1 replies at once",
        {1.0, 1e6}, 1.0};
    ListInput work_cycles_{*this, "work_cycles", "W",
                           "Work between two requests: one a thread, or one for all"};
    LopcMachineInputs machine_{*this};
    FlagInput protocol_processor_{*this, "protocol_processor",
                                  "Handlers run beside the thread: shared memory (4.2)"};

    void evaluate() override {
        refuse_servers_of_all_to_any(pattern_, servers_);
        const auto processors = static_cast<int>(processors_.value());
        const double visits = visits_per_request_.value();
        solve_for(
            pattern_.value() == "all-to-any"
                ? lopc_all_to_any_visits(processors, visits)
                : lopc_client_server_visits(processors, static_cast<int>(servers_.value()), visits),
            work_cycles_.value(), machine_, protocol_processor_.value());
    }
};

class ExactAgainstBard final : public Model {
  public:
    ExactAgainstBard()
        : Model("lopc-mva", "What Bard's approximation costs: Schweitzer's and exact MVA",
                "LoPC (1997), section 3.2") {}

  private:
    ChoiceInput pattern_{*this,
                         "pattern",
                         "all-to-any by protocol processors, or client-server",
                         {"all-to-any", "client-server"}};
    CountInput processors_{*this, "processors", "P", "Nodes", {2.0, 2048.0}};
    CountInput servers_{*this,         "servers", "P_s", "Nodes that serve, if client-server",
                        {1.0, 2047.0}, 1};
    QuantityInput work_cycles_{*this, "work_cycles", "W", "A thread's work between two requests"};
    QuantityInput network_cycles_{*this, "network_cycles", "S_l",
                                  "One way through the network, LogP's L"};
    QuantityInput handler_cycles_{*this, "handler_cycles", "S_o",
                                  "Mean of a message handler, exponential"};

    Output bard_response_cycles_{*this, "bard_response_cycles", "R", "A turn by LoPC's equations",
                                 "(28)"};
    Output schweitzer_response_cycles_{*this, "schweitzer_response_cycles", "R",
                                       "A turn by Bard-Schweitzer", "Section 3.2"};
    Output exact_response_cycles_{*this, "exact_response_cycles", "R",
                                  "A turn by exact mean value analysis", "Section 3.2"};
    Output bard_error_percent_{*this, "bard_error_percent", "", "LoPC's turn over the exact one"};
    Output schweitzer_error_percent_{*this, "schweitzer_error_percent", "",
                                     "Bard-Schweitzer's turn over the exact one"};
    OutputTable methods_{*this,
                         "methods",
                         "The three analyses side by side",
                         {{"method", "How the queue that a message finds is had"},
                          {"response_cycles", "R: a turn"},
                          {"contention_cycles", "Of it, what contention adds"},
                          {"request_response_cycles", "R_q: a request at its node"},
                          {"reply_response_cycles", "R_y: the reply at home"},
                          {"requests_per_cycle", "X: throughput of the whole machine"}},
                         "Section 3.2"};

    void evaluate() override {
        refuse_servers_of_all_to_any(pattern_, servers_);
        const bool all_to_any = pattern_.value() == "all-to-any";
        const auto processors = static_cast<int>(processors_.value());
        const auto servers = static_cast<int>(servers_.value());
        const LopcGeneralInputs inputs = {
            .visits = all_to_any ? lopc_all_to_any_visits(processors, 1.0)
                                 : lopc_client_server_visits(processors, servers, 1.0),
            .work_cycles = {work_cycles_.value()},
            .network_cycles = network_cycles_.value(),
            .handler_cycles = handler_cycles_.value(),
            .handler_squared_cv = 1.0,
            .protocol_processor = true};
        const LopcGeneralSolution lopc = solve_lopc_general(inputs);
        const LopcMva bard = lopc_mva_of(inputs, lopc);
        const LopcMva schweitzer = solve_lopc_bard_schweitzer(inputs);
        const LopcMva exact =
            all_to_any
                ? solve_lopc_exact_mva_all_to_any(processors, work_cycles_.value(),
                                                  network_cycles_.value(), handler_cycles_.value())
                : solve_lopc_exact_mva_client_server({.processors = processors,
                                                      .work_cycles = work_cycles_.value(),
                                                      .network_cycles = network_cycles_.value(),
                                                      .handler_cycles = handler_cycles_.value(),
                                                      .handler_squared_cv = 1.0},
                                                     servers);
        bard_response_cycles_ = bard.response_cycles;
        schweitzer_response_cycles_ = schweitzer.response_cycles;
        exact_response_cycles_ = exact.response_cycles;
        bard_error_percent_ = 100.0 * (bard.response_cycles / exact.response_cycles - 1.0);
        schweitzer_error_percent_ =
            100.0 * (schweitzer.response_cycles / exact.response_cycles - 1.0);
        const auto add = [&](const char* method, const LopcMva& mva) {
            // What is less than rounding makes of a turn is no contention.
            const double contention = mva.response_cycles - lopc.contention_free_cycles;
            methods_.add_row({std::string(method), mva.response_cycles,
                              contention < 1e-12 * mva.response_cycles ? 0.0 : contention,
                              mva.request_response_cycles, mva.reply_response_cycles,
                              mva.requests_per_cycle});
        };
        add("Bard (LoPC)", bard);
        add("Bard-Schweitzer", schweitzer);
        add("exact", exact);
        note("Exact needs exponential handlers, and none that interrupts a thread that asks.");
        if (all_to_any) {
            note("More nodes don't end the error: a node's reply always meets requests alone.");
        }
    }
};

}  // namespace

Models lopc_general_models() {
    Models models;
    models.push_back(std::make_unique<General>());
    models.push_back(std::make_unique<Pattern>());
    models.push_back(std::make_unique<ExactAgainstBard>());
    return models;
}

}  // namespace weir::experiments::models
