#include "experiments/models/lopc/lopc_mva.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/lopc/lopc_checks.h"
#include "experiments/models/lopc/lopc_fixed_point.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

constexpr std::size_t kMostThreads = 16;
constexpr std::size_t kMostNodes = 64;

/// Accumulates times of threads, each weighted by its rate, into means.
class LopcMvaMeans {
  public:
    void add_thread(double requests_per_cycle, double reply_cycles) {
        threads_ += 1.0;
        means_.requests_per_cycle += requests_per_cycle;
        means_.reply_response_cycles += requests_per_cycle * reply_cycles;
    }
    void add_visits(double visits_per_cycle, double request_cycles) {
        visits_ += visits_per_cycle;
        means_.request_response_cycles += visits_per_cycle * request_cycles;
    }
    [[nodiscard]] LopcMva means() const {
        LopcMva means = means_;
        means.response_cycles = threads_ / means.requests_per_cycle;  // Little's law
        means.reply_response_cycles /= means.requests_per_cycle;
        means.request_response_cycles /= visits_;
        return means;
    }

  private:
    double threads_ = 0.0;
    double visits_ = 0.0;
    LopcMva means_;
};

/// Delay of a round trip without queueing: the thread's work and its trips.
double delay_of(const LopcGeneralInputs& inputs, std::size_t thread) {
    return inputs.work_of(thread) + inputs.send_overhead_cycles +
           (1.0 + inputs.visits.visits_per_request(thread)) * inputs.network_cycles;
}

std::vector<std::size_t> threads_that_ask(const LopcGeneralInputs& inputs) {
    std::vector<std::size_t> asking;
    for (std::size_t i = 0; i < inputs.visits.processors(); ++i) {
        if (inputs.visits.visits_per_request(i) > 0.0) {
            asking.push_back(i);
        }
    }
    return asking;
}

void require_product_form(const LopcGeneralInputs& inputs) {
    if (inputs.handler_squared_cv != 1.0) {
        throw ModelError(
            "handler_squared_cv (C_o^2) is " + shortest_text(inputs.handler_squared_cv),
            "1: only exponential handlers have an exact analysis");
    }
    const std::vector<std::size_t> asking = threads_that_ask(inputs);
    for (const std::size_t visited : asking) {
        for (const std::size_t i : asking) {
            if (inputs.visits.row(i)[visited] == 0.0) {
                continue;
            }
            if (!inputs.protocol_processor) {
                throw ModelError("protocol_processor is false, and requests interrupt thread " +
                                     std::to_string(visited),
                                 "true: interrupted threads have no exact analysis");
            }
            if (inputs.send_overhead_cycles != 0.0) {
                throw ModelError(
                    "send_overhead_cycles (o_s) is " + shortest_text(inputs.send_overhead_cycles),
                    "0: for an exact analysis, requests and replies that queue together must have "
                    "equal handler times");
            }
        }
    }
}

}  // namespace

LopcMva solve_lopc_exact_mva(const LopcGeneralInputs& inputs) {
    check_lopc_general(inputs);
    refuse_lopc_stations(inputs);
    require_product_form(inputs);
    const std::vector<std::size_t> asking = threads_that_ask(inputs);
    const std::size_t nodes = inputs.visits.processors();
    if (asking.size() > kMostThreads || nodes > kMostNodes) {
        throw ModelError("visits (V) has " + std::to_string(asking.size()) +
                             " threads that ask on " + std::to_string(nodes) + " nodes",
                         std::to_string(kMostThreads) + " threads on " +
                             std::to_string(kMostNodes) + " nodes for the exact analysis");
    }
    const double request_handler = inputs.request_handler_cycles();
    const std::size_t everyone = (std::size_t{1} << asking.size()) - 1;
    // Messages at each node for each set of active threads.
    std::vector<double> queued((everyone + 1) * nodes, 0.0);
    LopcMvaMeans means;
    for (std::size_t set = 1; set <= everyone; ++set) {
        double* here = &queued[set * nodes];
        for (std::size_t a = 0; a < asking.size(); ++a) {
            if ((set >> a & 1U) == 0) {
                continue;
            }
            const std::size_t i = asking[a];
            const double* row = inputs.visits.row(i);
            const double* found = &queued[(set ^ (std::size_t{1} << a)) * nodes];
            const double reply = inputs.handler_cycles * (1.0 + found[i]);
            double response = delay_of(inputs, i) + reply;
            for (std::size_t k = 0; k < nodes; ++k) {
                response += row[k] * request_handler * (1.0 + found[k]);
            }
            const double per_cycle = 1.0 / response;
            here[i] += per_cycle * reply;
            for (std::size_t k = 0; k < nodes; ++k) {
                here[k] += per_cycle * row[k] * request_handler * (1.0 + found[k]);
                if (set == everyone) {
                    means.add_visits(per_cycle * row[k], request_handler * (1.0 + found[k]));
                }
            }
            if (set == everyone) {
                means.add_thread(per_cycle, reply);
            }
        }
    }
    return means.means();
}

LopcMva solve_lopc_exact_mva_all_to_any(int processors, double work_cycles, double network_cycles,
                                        double handler_cycles) {
    check_lopc_general({.visits = lopc_all_to_any_visits(2, 1.0),
                        .work_cycles = {work_cycles},
                        .network_cycles = network_cycles,
                        .handler_cycles = handler_cycles,
                        .handler_squared_cv = 1.0});
    require_count("processors (P)", processors, 2, "nodes");
    const double others = processors - 1;
    // With n active threads, a node is the home of one of them or of none.
    double queued_home = 0.0;
    double queued_other = 0.0;
    LopcMva result;
    for (int n = 1; n <= processors; ++n) {
        // While its own thread waits elsewhere, a thread's home is like a node without a thread.
        const double reply = handler_cycles * (1.0 + queued_other);
        const double to_home = handler_cycles * (1.0 + queued_home);
        const double to_other = handler_cycles * (1.0 + queued_other);
        const double request = ((n - 1) * to_home + (processors - n) * to_other) / others;
        const double response = work_cycles + 2.0 * network_cycles + request + reply;
        queued_home = (reply + (n - 1) / others * to_home) / response;
        queued_other = n / others * to_other / response;
        result = {.response_cycles = response,
                  .request_response_cycles = request,
                  .reply_response_cycles = reply,
                  .requests_per_cycle = n / response};
    }
    return result;
}

LopcMva solve_lopc_exact_mva_client_server(const LopcClientServerInputs& inputs, int servers) {
    solve_lopc_client_server(inputs, servers);  // throws if inputs are out of range
    if (inputs.handler_squared_cv != 1.0) {
        throw ModelError(
            "handler_squared_cv (C_o^2) is " + shortest_text(inputs.handler_squared_cv),
            "1: only exponential handlers have an exact analysis");
    }
    const double service = inputs.handler_cycles + inputs.send_overhead_cycles;
    const double elsewhere = inputs.work_cycles + inputs.send_overhead_cycles +
                             2.0 * inputs.network_cycles + inputs.handler_cycles;
    double queued = 0.0;
    LopcMva result;
    for (int n = 1; n <= inputs.processors - servers; ++n) {
        const double request = service * (1.0 + queued);
        const double response = elsewhere + request;
        queued = n / response * request / servers;
        result = {.response_cycles = response,
                  .request_response_cycles = request,
                  .reply_response_cycles = inputs.handler_cycles,
                  .requests_per_cycle = n / response};
    }
    return result;
}

namespace {

/// State of the Bard-Schweitzer iteration: the time of each thread's visit to each node.
class BardSchweitzer {
  public:
    explicit BardSchweitzer(const LopcGeneralInputs& inputs);

    double substitute(double part);
    [[nodiscard]] LopcMva means() const;

  private:
    struct Node {
        bool asks = false;
        double thread_cycles = 0.0;  // R_wk
        double reply_cycles = 0.0;   // R_yk
        double per_cycle = 0.0;      // X_k
        double arrivals = 0.0;       // visits of all threads per cycle
        double queued = 0.0;         // Q_qk
        double queued_next = 0.0;    // Q_qk with the new R_ik
        double utilization = 0.0;    // U_qk
    };

    double* visit_cycles(std::size_t i) { return &visit_cycles_[i * nodes_.size()]; }
    [[nodiscard]] const double* visit_cycles(std::size_t i) const {
        return &visit_cycles_[i * nodes_.size()];
    }
    void cycle_times();
    double visit_times(double part);
    double thread_times(double part);

    const LopcGeneralInputs& inputs_;
    const double request_handler_;
    const double residual_correction_;
    std::vector<Node> nodes_;
    std::vector<double> visit_cycles_;  // R_ik by rows: time of each thread's visit to each node
};

BardSchweitzer::BardSchweitzer(const LopcGeneralInputs& inputs)
    : inputs_(inputs),
      request_handler_(inputs.request_handler_cycles()),
      residual_correction_((inputs.handler_squared_cv - 1.0) / 2.0),
      nodes_(inputs.visits.processors()),
      visit_cycles_(nodes_.size() * nodes_.size(), request_handler_) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (inputs.visits.visits_per_request(i) == 0.0) {
            continue;
        }
        nodes_[i].asks = true;
        nodes_[i].thread_cycles = inputs.work_of(i) + inputs.send_overhead_cycles;
        nodes_[i].reply_cycles = inputs.handler_cycles;
    }
}

/// Evaluates (28), (19), (20) and (23), each thread with its own R_ik.
void BardSchweitzer::cycle_times() {
    for (Node& node : nodes_) {
        node.arrivals = node.queued = node.queued_next = 0.0;
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        Node& thread = nodes_[i];
        if (!thread.asks) {
            continue;
        }
        const double* row = inputs_.visits.row(i);
        const double* cycles = visit_cycles(i);
        double response = thread.thread_cycles + thread.reply_cycles + inputs_.network_cycles;
        for (std::size_t k = 0; k < nodes_.size(); ++k) {
            response += row[k] * (inputs_.network_cycles + cycles[k]);
        }
        thread.per_cycle = 1.0 / response;
        for (std::size_t k = 0; k < nodes_.size(); ++k) {
            nodes_[k].arrivals += thread.per_cycle * row[k];
            nodes_[k].queued += thread.per_cycle * row[k] * cycles[k];
        }
    }
}

/// Evaluates (25) without the thread's own share of the queue.
double BardSchweitzer::visit_times(double part) {
    const double s = request_handler_;
    const double c = residual_correction_;
    double change = 0.0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (!nodes_[i].asks) {
            continue;
        }
        const double* row = inputs_.visits.row(i);
        double* cycles = visit_cycles(i);
        for (std::size_t k = 0; k < nodes_.size(); ++k) {
            if (row[k] == 0.0) {
                continue;
            }
            const Node& node = nodes_[k];
            const double own = nodes_[i].per_cycle * row[k];
            double ahead = s * (node.queued + c * node.utilization - own * (cycles[k] + c * s));
            if (k != i) {
                ahead += inputs_.handler_cycles * node.per_cycle *
                         (node.reply_cycles + c * inputs_.handler_cycles);
            }
            change = std::max(change, lopc_move(cycles[k], s + std::max(0.0, ahead), part));
            nodes_[k].queued_next += own * cycles[k];
        }
    }
    for (Node& node : nodes_) {
        node.utilization =
            node.queued_next > 0.0
                ? std::min(s * node.arrivals * node.queued / node.queued_next, kLopcMostUtilization)
                : 0.0;
    }
    return change;
}

/// Evaluates (26) and (27) without the thread's own share of the queue.
double BardSchweitzer::thread_times(double part) {
    const double s = request_handler_;
    double change = 0.0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        Node& node = nodes_[i];
        if (!node.asks) {
            continue;
        }
        const double own = node.per_cycle * inputs_.visits.row(i)[i];
        const double queued = std::max(0.0, node.queued - own * visit_cycles(i)[i]);
        const double utilization = std::max(0.0, node.utilization - own * s);
        const double reply =
            inputs_.handler_cycles + s * std::max(0.0, queued + residual_correction_ * utilization);
        change = std::max(change, lopc_move(node.reply_cycles, reply, part));
        if (!inputs_.protocol_processor) {
            const double thread = inputs_.work_of(i) + inputs_.send_overhead_cycles;
            change = std::max(change, lopc_move(node.thread_cycles,
                                                (thread + s * queued) / (1.0 - utilization), part));
        }
    }
    return change;
}

double BardSchweitzer::substitute(double part) {
    cycle_times();
    const double change = visit_times(part);
    return std::max(change, thread_times(part));
}

LopcMva BardSchweitzer::means() const {
    LopcMvaMeans means;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (!nodes_[i].asks) {
            continue;
        }
        means.add_thread(nodes_[i].per_cycle, nodes_[i].reply_cycles);
        for (std::size_t k = 0; k < nodes_.size(); ++k) {
            means.add_visits(nodes_[i].per_cycle * inputs_.visits.row(i)[k], visit_cycles(i)[k]);
        }
    }
    return means.means();
}

}  // namespace

LopcMva solve_lopc_bard_schweitzer(const LopcGeneralInputs& inputs) {
    check_lopc_general(inputs);
    refuse_lopc_stations(inputs);
    BardSchweitzer iteration(inputs);
    lopc_settle(iteration, "Bard-Schweitzer's equations");
    return iteration.means();
}

namespace {

/// BardSchweitzer's iteration where all threads and nodes are alike: one of each stands for all.
class AlikeBardSchweitzer {
  public:
    AlikeBardSchweitzer(const LopcInputs& inputs, double visits_per_request)
        : inputs_(inputs),
          visits_(visits_per_request),
          request_handler_(inputs.handler_cycles + inputs.send_overhead_cycles),
          residual_correction_((inputs.handler_squared_cv - 1.0) / 2.0),
          thread_cycles_(inputs.work_cycles + inputs.send_overhead_cycles),
          reply_cycles_(inputs.handler_cycles),
          visit_cycles_(request_handler_) {}

    double substitute(double part) {
        const double s = request_handler_;
        const double c = residual_correction_;
        const double handler = inputs_.handler_cycles;
        response_cycles_ = thread_cycles_ + reply_cycles_ + inputs_.network_cycles +
                           visits_ * (inputs_.network_cycles + visit_cycles_);
        const double per_cycle = 1.0 / response_cycles_;
        const double queued = per_cycle * visits_ * visit_cycles_;
        const double own = per_cycle * visits_ / (inputs_.processors - 1);
        const double ahead = s * (queued + c * utilization_ - own * (visit_cycles_ + c * s)) +
                             handler * per_cycle * (reply_cycles_ + c * handler);
        double change = lopc_move(visit_cycles_, s + std::max(0.0, ahead), part);
        const double queued_next = per_cycle * visits_ * visit_cycles_;
        utilization_ =
            std::min(s * per_cycle * visits_ * queued / queued_next, kLopcMostUtilization);
        const double reply = handler + s * std::max(0.0, queued + c * utilization_);
        change = std::max(change, lopc_move(reply_cycles_, reply, part));
        if (!inputs_.protocol_processor) {
            const double thread = inputs_.work_cycles + inputs_.send_overhead_cycles;
            change = std::max(
                change,
                lopc_move(thread_cycles_, (thread + s * queued) / (1.0 - utilization_), part));
        }
        return change;
    }

    [[nodiscard]] LopcMva means() const {
        return {.response_cycles = response_cycles_,
                .request_response_cycles = visit_cycles_,
                .reply_response_cycles = reply_cycles_,
                .requests_per_cycle = inputs_.processors / response_cycles_};
    }

  private:
    const LopcInputs& inputs_;
    double visits_;
    double request_handler_;
    double residual_correction_;
    double thread_cycles_;  // R_w
    double reply_cycles_;   // R_y
    double visit_cycles_;   // R_q
    double utilization_ = 0.0;
    double response_cycles_ = 0.0;
};

}  // namespace

LopcMva solve_lopc_bard_schweitzer_all_to_any(const LopcInputs& inputs, double visits_per_request) {
    require_count("processors (P)", inputs.processors, 2, "nodes");
    // Two nodes have the same ranges of all other inputs.
    check_lopc_general({.visits = lopc_all_to_any_visits(2, visits_per_request),
                        .work_cycles = {inputs.work_cycles},
                        .network_cycles = inputs.network_cycles,
                        .handler_cycles = inputs.handler_cycles,
                        .handler_squared_cv = inputs.handler_squared_cv,
                        .protocol_processor = inputs.protocol_processor,
                        .send_overhead_cycles = inputs.send_overhead_cycles});
    AlikeBardSchweitzer iteration(inputs, visits_per_request);
    lopc_settle(iteration, "Bard-Schweitzer's equations");
    return iteration.means();
}

namespace {

/// Means of LoPC's own solution, for comparison.
LopcMva lopc_mva_of(const LopcGeneralInputs& inputs, const LopcGeneralSolution& solution) {
    LopcMvaMeans means;
    for (std::size_t i = 0; i < solution.nodes.size(); ++i) {
        const LopcNode& node = solution.nodes[i];
        means.add_visits(node.arrivals_per_cycle, node.request_response_cycles);
        if (inputs.visits.visits_per_request(i) > 0.0) {
            means.add_thread(node.requests_per_cycle, node.reply_response_cycles);
        }
    }
    return means.means();
}

class ExactAgainstBard final : public Model {
  public:
    ExactAgainstBard()
        : Model("lopc-mva",
                "Errors of Bard's and Bard-Schweitzer's approximations against exact mean value "
                "analysis",
                "LoPC (1997), section 3.2") {
        choice(has_servers_, "pattern",
               "Pattern of requests: all-to-any with protocol processors, or client-server",
               {"all-to-any", "client-server"});
        input(processors_, "processors", "P", "Number of nodes", {2.0, 2048.0});
        input(servers_, "servers", "P_s", "Number of servers of the pattern client-server",
              {1.0, 2047.0});
        input(work_cycles_, "work_cycles", "W", "Work of a thread between two requests");
        input(WEIR_NAMED(in_, network_cycles), "S_l", "Network latency of a message, LogP's L");
        input(WEIR_NAMED(in_, handler_cycles), "S_o",
              "Mean time of a message handler, exponentially distributed");

        output(bard_.response_cycles, "bard_response_cycles", "R",
               "Time of a round trip by LoPC's equations (Bard's approximation)", "(28)");
        output(schweitzer_.response_cycles, "schweitzer_response_cycles", "R",
               "Time of a round trip by the Bard-Schweitzer approximation", "Section 3.2");
        output(exact_.response_cycles, "exact_response_cycles", "R",
               "Time of a round trip by exact mean value analysis", "Section 3.2");
        output([this] { return error_percent(bard_); }, "bard_error_percent", "",
               "Relative excess of LoPC's time of a round trip over the exact one");
        output([this] { return error_percent(schweitzer_); }, "schweitzer_error_percent", "",
               "Relative excess of Bard-Schweitzer's time of a round trip over the exact one");
    }

  private:
    void evaluate() override {
        if (!has_servers_) {
            refuse_if_given("servers", "pattern is \"all-to-any\"",
                            "with pattern \"client-server\"");
        }
        in_.work_cycles = {work_cycles_};
        in_.visits = has_servers_ ? lopc_client_server_visits(processors_, servers_, 1.0)
                                  : lopc_all_to_any_visits(processors_, 1.0);
        const LopcGeneralSolution lopc = solve_lopc_general(in_);
        bard_ = lopc_mva_of(in_, lopc);
        schweitzer_ = solve_lopc_bard_schweitzer(in_);
        exact_ = has_servers_
                     ? solve_lopc_exact_mva_client_server({.processors = processors_,
                                                           .work_cycles = work_cycles_,
                                                           .network_cycles = in_.network_cycles,
                                                           .handler_cycles = in_.handler_cycles,
                                                           .handler_squared_cv = 1.0},
                                                          servers_)
                     : solve_lopc_exact_mva_all_to_any(processors_, work_cycles_,
                                                       in_.network_cycles, in_.handler_cycles);
        const auto add = [&](const char* method, const LopcMva& mva) {
            // A difference below the rounding error of a round trip counts as no contention.
            const double contention = mva.response_cycles - lopc.contention_free_cycles;
            methods_.add_row({std::string(method), mva.response_cycles,
                              contention < 1e-12 * mva.response_cycles ? 0.0 : contention,
                              mva.request_response_cycles, mva.reply_response_cycles,
                              mva.requests_per_cycle});
        };
        add("Bard (LoPC)", bard_);
        add("Bard-Schweitzer", schweitzer_);
        add("exact", exact_);
        note(
            "The exact analysis needs exponential handlers that interrupt no thread that makes "
            "requests.");
        if (!has_servers_) {
            note(
                "The error stays with more nodes: a reply always finds only requests at its node.");
        }
    }

    [[nodiscard]] double error_percent(const LopcMva& mva) const {
        return 100.0 * (mva.response_cycles / exact_.response_cycles - 1.0);
    }

    bool has_servers_ = false;
    int processors_ = 0;
    int servers_ = 1;
    double work_cycles_ = kNotGiven;
    LopcGeneralInputs in_{.handler_squared_cv = 1.0, .protocol_processor = true};
    LopcMva bard_;
    LopcMva schweitzer_;
    LopcMva exact_;
    OutputTable methods_{
        *this,
        "methods",
        "Results of the three analyses",
        {{"method", "Analysis: Bard (LoPC), Bard-Schweitzer or exact"},
         {"response_cycles", "R: round trip"},
         {"contention_cycles", "Time of a round trip that is contention"},
         {"request_response_cycles", "R_q: time of a request at its destination"},
         {"reply_response_cycles", "R_y: time of a reply at its destination"},
         {"requests_per_cycle", "X: throughput of the whole machine in requests per cycle"}},
        "Section 3.2"};
};

}  // namespace

std::unique_ptr<Model> lopc_mva_model() { return std::make_unique<ExactAgainstBard>(); }

}  // namespace weir::experiments::models
