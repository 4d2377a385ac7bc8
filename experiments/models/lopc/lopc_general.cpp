#include "experiments/models/lopc/lopc_general.h"

#include <algorithm>
#include <array>
#include <string>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/lopc/lopc_checks.h"
#include "experiments/models/lopc/lopc_fixed_point.h"
#include "experiments/models/lopc/lopc_mva.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

// Limit of visits per request, above any real machine's.
constexpr double kMostVisits = 1e6;
// Rounding allowed in a row of V that should add to 1, written with a few decimals.
constexpr double kRowRounding = 1e-6;

double contention_free_of(const LopcGeneralInputs& inputs, std::size_t thread, double visits) {
    const double own = inputs.work_of(thread) + inputs.send_overhead_cycles +
                       inputs.network_cycles + inputs.handler_cycles;
    if (inputs.stations.empty()) {
        return own + visits * (inputs.network_cycles + inputs.request_handler_cycles());
    }
    double at_nodes = 0.0;
    for (std::size_t k = 0; k < inputs.stations.size(); ++k) {
        const LopcStation& station = inputs.stations[k];
        at_nodes +=
            inputs.visits.row(thread)[k] * (station.trips * inputs.network_cycles +
                                            station.request_cycles - station.after_reply_cycles);
    }
    return own + at_nodes;
}

/// Mean number of trips that a request of the thread makes until its last visit.
double trips_of(const LopcGeneralInputs& inputs, std::size_t thread) {
    double trips = 0.0;
    for (std::size_t k = 0; k < inputs.visits.processors(); ++k) {
        trips += inputs.visits.row(thread)[k] * inputs.station_of(k).trips;
    }
    return trips;
}

/// Product of a row with the cost of a visit at each node. Four separate sums let additions
/// overlap.
double product(const double* row, const double* cycles, std::size_t size) {
    std::array<double, 4> sums{};
    std::size_t k = 0;
    for (; k + 4 <= size; k += 4) {
        sums[0] += row[k] * cycles[k];
        sums[1] += row[k + 1] * cycles[k + 1];
        sums[2] += row[k + 2] * cycles[k + 2];
        sums[3] += row[k + 3] * cycles[k + 3];
    }
    for (; k < size; ++k) {
        sums[0] += row[k] * cycles[k];
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// State of the fixed-point iteration over all nodes.
class Iteration {
  public:
    explicit Iteration(const LopcGeneralInputs& inputs);

    /// Evaluates every equation once, and moves the times at the nodes by `part` towards the
    /// results. Returns the largest relative change that the equations ask for.
    double substitute(double part);
    [[nodiscard]] LopcGeneralSolution solution() const;

  private:
    void cycle_times();
    double node_times(std::size_t k, double part);
    [[nodiscard]] double interrupted_thread(std::size_t i) const;

    const LopcGeneralInputs& inputs_;
    const std::size_t processors_;
    // (C_o^2 - 1)/2: residual life of a handler, less one handler.
    const double residual_correction_;
    std::vector<LopcNode> nodes_;
    std::vector<LopcStation> stations_;
    // For each thread: the node whose handlers interrupt it.
    std::vector<std::optional<std::size_t>> interrupted_by_;
    std::vector<double> trips_;         // trips of a request, without the trip of its reply
    std::vector<double> visit_cycles_;  // R_qk up to the reply, contiguous for the products
    std::vector<double> arrivals_;      // for each node: sum over i of X_ik
};

Iteration::Iteration(const LopcGeneralInputs& inputs)
    : inputs_(inputs),
      processors_(inputs.visits.processors()),
      residual_correction_((inputs.handler_squared_cv - 1.0) / 2.0),
      nodes_(processors_),
      interrupted_by_(processors_),
      trips_(processors_),
      visit_cycles_(processors_),
      arrivals_(processors_) {
    for (std::size_t k = 0; k < processors_; ++k) {
        stations_.push_back(inputs.station_of(k));
        if (stations_[k].interrupts) {
            interrupted_by_[*stations_[k].interrupts] = k;
        }
    }
    for (std::size_t i = 0; i < processors_; ++i) {
        LopcNode& node = nodes_[i];
        trips_[i] = trips_of(inputs, i);
        const double visits = inputs.visits.visits_per_request(i);
        node.asks = visits > 0.0;
        node.request_response_cycles = stations_[i].request_cycles;
        visit_cycles_[i] = node.request_response_cycles - stations_[i].after_reply_cycles;
        if (node.asks) {
            node.contention_free_cycles = contention_free_of(inputs, i, visits);
            node.thread_response_cycles = inputs.work_of(i) + inputs.send_overhead_cycles;
            node.reply_response_cycles = inputs.handler_cycles;
        }
    }
}

/// Evaluates (28), (19) and (20). Reads each row of V once for both of its products.
void Iteration::cycle_times() {
    std::fill(arrivals_.begin(), arrivals_.end(), 0.0);
    for (std::size_t i = 0; i < processors_; ++i) {
        LopcNode& node = nodes_[i];
        if (!node.asks) {
            continue;
        }
        const double* row = inputs_.visits.row(i);
        node.response_cycles = node.thread_response_cycles + node.reply_response_cycles +
                               (1.0 + trips_[i]) * inputs_.network_cycles +
                               product(row, visit_cycles_.data(), processors_);  // (28)
        node.requests_per_cycle = 1.0 / node.response_cycles;                    // (19)
        for (std::size_t k = 0; k < processors_; ++k) {
            arrivals_[k] += row[k] * node.requests_per_cycle;  // (20)
        }
    }
}

/// Evaluates (21) to (27) at one node. Q_qk comes from the same R_qk as the threads' round trips,
/// so it never exceeds the visits under way. U_qk follows as S Q_qk/R_qk. U_qk stays below 1 during
/// the iteration and equals (21) once R_qk has converged.
double Iteration::node_times(std::size_t k, double part) {
    LopcNode& node = nodes_[k];
    const double s = stations_[k].request_cycles;
    const double c = residual_correction_;
    node.arrivals_per_cycle = arrivals_[k];
    node.requests_queued = arrivals_[k] * node.request_response_cycles;          // (23)
    node.replies_queued = node.requests_per_cycle * node.reply_response_cycles;  // (24)
    node.reply_utilization = node.requests_per_cycle * inputs_.handler_cycles;   // (22)

    const double requests_ahead = s * (node.requests_queued + c * node.request_utilization);
    const double replies_ahead =
        inputs_.handler_cycles * (node.replies_queued + c * node.reply_utilization);
    double change =
        lopc_move(node.request_response_cycles, s + std::max(0.0, requests_ahead + replies_ahead),
                  part);  // (25), (5')
    const double request = node.request_response_cycles;
    visit_cycles_[k] = request - stations_[k].after_reply_cycles;
    node.request_utilization =  // (21)
        request > 0.0 ? std::min(s * node.requests_queued / request, kLopcMostUtilization) : 0.0;
    if (!node.asks) {
        return change;
    }
    change = std::max(change, lopc_move(node.reply_response_cycles,
                                        inputs_.handler_cycles + std::max(0.0, requests_ahead),
                                        part));  // (26), (6')
    if (interrupted_by_[k]) {
        change =
            std::max(change, lopc_move(node.thread_response_cycles, interrupted_thread(k), part));
    }
    return change;
}

/// Evaluates equation (27). A thread whose own node handles its reply resumes between two handlers.
/// A thread whose reply is handled elsewhere meets a handler at a random instant, and waits for its
/// residual life (Section 4.3).
double Iteration::interrupted_thread(std::size_t i) const {
    const std::size_t where = *interrupted_by_[i];
    const LopcNode& at = nodes_[where];
    const double residual = where == i ? 0.0 : residual_correction_ * at.request_utilization;
    const double ahead =
        stations_[where].request_cycles * std::max(0.0, at.requests_queued + residual);
    return (inputs_.work_of(i) + inputs_.send_overhead_cycles + ahead) /
           (1.0 - at.request_utilization);
}

double Iteration::substitute(double part) {
    cycle_times();
    double change = 0.0;
    for (std::size_t k = 0; k < processors_; ++k) {
        change = std::max(change, node_times(k, part));
    }
    return change;
}

LopcGeneralSolution Iteration::solution() const {
    LopcGeneralSolution solution;
    solution.nodes = nodes_;
    double asking = 0.0;
    for (std::size_t i = 0; i < processors_; ++i) {
        const LopcNode& node = nodes_[i];
        asking += node.asks ? 1.0 : 0.0;
        solution.requests_per_cycle += node.requests_per_cycle;
        solution.contention_free_cycles += node.requests_per_cycle * node.contention_free_cycles;
        const LopcNode& busiest = nodes_[solution.busiest_node];
        if (node.request_utilization + node.reply_utilization >
            busiest.request_utilization + busiest.reply_utilization) {
            solution.busiest_node = i;
        }
    }
    solution.response_cycles = asking / solution.requests_per_cycle;
    solution.contention_free_cycles /= solution.requests_per_cycle;
    return solution;
}

}  // namespace

LopcStation LopcGeneralInputs::station_of(std::size_t node) const {
    if (!stations.empty()) {
        return stations[node];
    }
    LopcStation alike{.request_cycles = request_handler_cycles()};
    if (!protocol_processor) {
        alike.interrupts = node;
    }
    return alike;
}

double LopcVisits::visits_per_request(std::size_t thread) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < processors_; ++k) {
        sum += row(thread)[k];
    }
    return sum;
}

LopcVisits lopc_visits(const std::vector<std::vector<double>>& rows) {
    LopcVisits visits(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].size() != rows.size()) {
            throw ModelError("visits (V) has " + std::to_string(rows.size()) + " rows, and row " +
                                 std::to_string(i) + " has " + std::to_string(rows[i].size()) +
                                 " entries",
                             "a square matrix with a row and a column for each node");
        }
        std::copy(rows[i].begin(), rows[i].end(), visits.row(i));
    }
    return visits;
}

LopcVisits lopc_all_to_any_visits(int processors, double visits_per_request) {
    require_count("processors (P)", processors, 2, "nodes");
    require_quantity("visits_per_request", visits_per_request, 1.0, "nodes");
    const auto size = static_cast<std::size_t>(processors);
    LopcVisits visits(size);
    for (std::size_t i = 0; i < size; ++i) {
        std::fill_n(visits.row(i), size, visits_per_request / (processors - 1));
        visits.row(i)[i] = 0.0;
    }
    return visits;
}

LopcVisits lopc_client_server_visits(int processors, int servers, double visits_per_request) {
    require_count("processors (P)", processors, 2, "nodes");
    require_quantity("visits_per_request", visits_per_request, 1.0, "nodes");
    if (servers < 1 || servers >= processors) {
        throw ModelError(
            "servers (P_s) is " + std::to_string(servers),
            "1 to " + std::to_string(processors - 1) + " nodes, which leaves at least one client");
    }
    LopcVisits visits(processors);
    for (auto i = static_cast<std::size_t>(servers); i < visits.processors(); ++i) {
        std::fill_n(visits.row(i), servers, visits_per_request / servers);
    }
    return visits;
}

namespace {

void check_stations(const LopcGeneralInputs& inputs) {
    const std::size_t nodes = inputs.visits.processors();
    if (!inputs.stations.empty() && inputs.stations.size() != nodes) {
        throw ModelError("there are " + std::to_string(inputs.stations.size()) + " stations",
                         "none, or " + std::to_string(nodes) + ", one for each node");
    }
    for (const LopcStation& station : inputs.stations) {
        require_quantity("request_cycles of a node (S_o)", station.request_cycles);
        require_quantity("after_reply_cycles of a node", station.after_reply_cycles);
        require_quantity("trips to a node", station.trips, 0.0, "trips");
        if (station.after_reply_cycles > station.request_cycles) {
            throw ModelError("after_reply_cycles is " + shortest_text(station.after_reply_cycles) +
                                 " of " + shortest_text(station.request_cycles),
                             "at most request_cycles, which include the time after the reply");
        }
        if (station.interrupts && *station.interrupts >= nodes) {
            throw ModelError("a node interrupts thread " + std::to_string(*station.interrupts),
                             "a thread of one of the " + std::to_string(nodes) + " nodes");
        }
    }
}

}  // namespace

void check_lopc_general(const LopcGeneralInputs& inputs) {
    const std::size_t processors = inputs.visits.processors();
    require_count("visits (V), its rows", static_cast<int>(processors), 1, "nodes");
    if (inputs.work_cycles.size() != 1 && inputs.work_cycles.size() != processors) {
        throw ModelError(
            "work_cycles (W) has " + std::to_string(inputs.work_cycles.size()) + " values",
            "one for all threads, or " + std::to_string(processors) + ", one for each thread");
    }
    for (const double work : inputs.work_cycles) {
        require_quantity("work_cycles (W)", work);
    }
    check_lopc_handlers(inputs);
    check_stations(inputs);

    bool any_asks = false;
    for (std::size_t i = 0; i < processors; ++i) {
        const std::string where = " in row " + std::to_string(i);
        for (std::size_t k = 0; k < processors; ++k) {
            const double entry = inputs.visits.row(i)[k];
            if (!(entry >= 0.0 && entry <= kMostVisits)) {
                throw ModelError("visits (V) has " + shortest_text(entry) + where,
                                 "0 to " + shortest_text(kMostVisits) + " visits per request");
            }
        }
        const double sum = inputs.visits.visits_per_request(i);
        if (sum == 0.0) {
            continue;
        }
        any_asks = true;
        if (sum < 1.0 - kRowRounding) {
            throw ModelError(
                "visits (V) adds to " + shortest_text(sum) + where,
                "1 or more visits per request, or 0 for a thread that makes no requests");
        }
        if (contention_free_of(inputs, i, sum) < kLopcShortestRoundTrip) {
            throw ModelError("the round trip of thread " + std::to_string(i) +
                                 " without contention is " +
                                 shortest_text(contention_free_of(inputs, i, sum)),
                             shortest_text(kLopcShortestRoundTrip) + " cycles or more");
        }
    }
    if (!any_asks) {
        throw ModelError("visits (V) is 0 throughout", "one or more threads that make requests");
    }
}

LopcGeneralSolution solve_lopc_general(const LopcGeneralInputs& inputs) {
    check_lopc_general(inputs);
    Iteration iteration(inputs);
    const int iterations = lopc_settle(iteration, "the equations (19) to (28)");
    LopcGeneralSolution solution = iteration.solution();
    solution.iterations = iterations;
    return solution;
}

namespace {

constexpr const char* kAppendixA = "LoPC (1997), appendix A";

/// Common part of the models of arbitrary visits: a given matrix, or a named pattern.
class VisitsModel : public Model {
  protected:
    using Model::Model;

    void declare_threads_and_machine() {
        input(WEIR_NAMED(in_, work_cycles), "W",
              "Work between two requests: a value for each thread, or one for all");
        declare_lopc_machine(*this, in_);
        flag(WEIR_NAMED(in_, protocol_processor),
             "true: a protocol processor in each node runs the handlers, as for shared memory "
             "(section 4.2)");
    }

    void declare_outputs() {
        output(WEIR_NAMED(out_, response_cycles), "R",
               "Time of a round trip, mean over all requests", "(28)");
        output(WEIR_NAMED(out_, contention_free_cycles), "",
               "Time of a round trip without contention (LogP), mean over all requests", "(28)");
        output([this] { return contention_cycles(); }, "contention_cycles", "C",
               "Time of a round trip that is contention", "(28)");
        output([this] { return contention_cycles() / out_.response_cycles; }, "contention_fraction",
               "C/R", "Share of a round trip that is contention", "(28)");
        output(WEIR_NAMED(out_, requests_per_cycle), "X",
               "Throughput of all threads together in requests per cycle", "(19)");
        output(WEIR_NAMED(out_, busiest_node), "", "Node with the largest handler utilization",
               "(21), (22)");
        output(
            [this] {
                const LopcNode& busiest = out_.nodes[out_.busiest_node];
                return busiest.request_utilization + busiest.reply_utilization;
            },
            "busiest_utilization", "U_q + U_y", "Handler utilization of the busiest node",
            "(21), (22)");
        output(out_.iterations, "substitutions", "",
               "Number of iterations until the equations converged");
        output([this] { return solve_lopc_bard_schweitzer(in_).response_cycles; },
               "schweitzer_response_cycles", "R",
               "Time of a round trip by the Bard-Schweitzer approximation", "Section 3.2");
        output(exact_response_cycles_, "exact_response_cycles", "R",
               "Time of a round trip by exact mean value analysis; if empty, a note says why",
               "Section 3.2");
    }

    void solve_for(LopcVisits visits) {
        in_.visits = std::move(visits);
        out_ = solve_lopc_general(in_);
        exact_response_cycles_.reset();
        try {
            exact_response_cycles_ = solve_lopc_exact_mva(in_).response_cycles;
        } catch (const ModelError& error) {
            note(std::string("No exact analysis: ") + error.what());
        }
        for (std::size_t k = 0; k < out_.nodes.size(); ++k) {
            const LopcNode& node = out_.nodes[k];
            const auto of_thread = [&](double value) {
                return node.asks ? OutputTable::Cell(value)
                                 : OutputTable::Cell(std::string("none"));
            };
            nodes_.add_row({static_cast<double>(k), of_thread(node.response_cycles),
                            of_thread(node.contention_free_cycles),
                            of_thread(node.thread_response_cycles), node.request_response_cycles,
                            of_thread(node.reply_response_cycles), node.requests_queued,
                            node.replies_queued, node.request_utilization, node.reply_utilization,
                            node.requests_per_cycle});
        }
    }

  private:
    /// Not below 0: beside very large work, rounding may give a negative difference.
    [[nodiscard]] double contention_cycles() const {
        return std::max(0.0, out_.response_cycles - out_.contention_free_cycles);
    }

    LopcGeneralInputs in_;
    LopcGeneralSolution out_;
    std::optional<double> exact_response_cycles_;
    OutputTable nodes_{
        *this,
        "nodes",
        "Results for each node and its thread",
        {{"node", "Number of the node and of its thread, from 0: row and column of visits"},
         {"response_cycles", "R_i: round trip of the thread"},
         {"contention_free_cycles", "Round trip of the thread without contention"},
         {"thread_response_cycles", "R_w: work of the thread, interruptions included"},
         {"request_response_cycles", "R_q: time of a request at this node"},
         {"reply_response_cycles", "R_y: time of the thread's reply"},
         {"requests_queued", "Q_q: number of requests at this node"},
         {"replies_queued", "Q_y: number of replies at this node"},
         {"request_utilization", "U_q"},
         {"reply_utilization", "U_y"},
         {"requests_per_cycle", "X_i: throughput of the thread in requests per cycle"}},
        "(19) to (28)"};
};

class General final : public VisitsModel {
  public:
    General()
        : VisitsModel("lopc-general", "Threads whose requests visit nodes by a given matrix",
                      kAppendixA) {
        input(visits_, "visits", "V",
              "Visits per request: a row for each thread, a column for each node",
              {0.0, kMostVisits});
        declare_threads_and_machine();
        declare_outputs();
    }

  private:
    void evaluate() override { solve_for(lopc_visits(visits_)); }

    std::vector<std::vector<double>> visits_;
};

class Pattern final : public VisitsModel {
  public:
    Pattern()
        : VisitsModel("lopc-pattern", "General model with visits by a named pattern", kAppendixA) {
        choice(has_servers_, "pattern",
               "Pattern of requests: all-to-any, or client-server; servers have the lowest node "
               "numbers",
               {"all-to-any", "client-server"});
        input(processors_, "processors", "P", "Number of nodes", {2.0, 2048.0});
        input(servers_, "servers", "P_s", "Number of servers of the pattern client-server",
              {1.0, 2047.0});
        input(
            visits_per_request_, "visits_per_request", "",
            "Number of nodes that a request visits one after the other; 1: the first node replies",
            {1.0, kMostVisits});
        declare_threads_and_machine();
        declare_outputs();
    }

  private:
    void evaluate() override {
        if (!has_servers_) {
            refuse_if_given("servers", "pattern is \"all-to-any\"",
                            "with pattern \"client-server\"");
        }
        solve_for(has_servers_
                      ? lopc_client_server_visits(processors_, servers_, visits_per_request_)
                      : lopc_all_to_any_visits(processors_, visits_per_request_));
    }

    bool has_servers_ = false;
    int processors_ = 0;
    int servers_ = 1;
    double visits_per_request_ = 1.0;
};

}  // namespace

std::unique_ptr<Model> lopc_general_model() { return std::make_unique<General>(); }

std::unique_ptr<Model> lopc_pattern_model() { return std::make_unique<Pattern>(); }

}  // namespace weir::experiments::models
