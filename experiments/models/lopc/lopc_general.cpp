#include "experiments/models/lopc/lopc_general.h"

#include <algorithm>
#include <array>
#include <string>

#include "experiments/models/lopc/lopc_checks.h"
#include "experiments/models/lopc/lopc_fixed_point.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

// More visits a request than any machine makes.
constexpr double kMostVisits = 1e6;
// What rounding takes from a row of V that should add to 1, written with a few decimals.
constexpr double kRowRounding = 1e-6;

double contention_free_of(const LopcGeneralInputs& inputs, std::size_t thread, double visits) {
    return inputs.work_of(thread) + inputs.send_overhead_cycles + inputs.network_cycles +
           inputs.handler_cycles +
           visits * (inputs.network_cycles + inputs.request_handler_cycles());
}

/// A row's product with what a visit costs at each node. Four sums, so that one addition needn't
/// wait for the last.
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

/// One substitution of the equations into each other, and what it starts from.
class Iteration {
  public:
    explicit Iteration(const LopcGeneralInputs& inputs);

    /// Every equation once, and the times at the nodes that part of the way to what comes out. The
    /// largest change that they ask for, as a share of the time.
    double substitute(double part);
    [[nodiscard]] LopcGeneralSolution solution() const;

  private:
    void cycle_times();
    double node_times(std::size_t k, double part);

    const LopcGeneralInputs& inputs_;
    const std::size_t processors_;
    const double request_handler_;      // S_o + o_s
    const double residual_correction_;  // (C_o^2 - 1)/2
    std::vector<LopcNode> nodes_;
    std::vector<double> row_sums_;
    std::vector<double> visit_cycles_;  // R_qk, side by side for the products
    std::vector<double> arrivals_;      // sum over i of X_ik
};

Iteration::Iteration(const LopcGeneralInputs& inputs)
    : inputs_(inputs),
      processors_(inputs.visits.processors()),
      request_handler_(inputs.request_handler_cycles()),
      residual_correction_((inputs.handler_squared_cv - 1.0) / 2.0),
      nodes_(processors_),
      row_sums_(processors_),
      visit_cycles_(processors_, request_handler_),
      arrivals_(processors_) {
    for (std::size_t i = 0; i < processors_; ++i) {
        LopcNode& node = nodes_[i];
        row_sums_[i] = inputs.visits.visits_per_request(i);
        node.asks = row_sums_[i] > 0.0;
        node.request_response_cycles = request_handler_;
        if (node.asks) {
            node.contention_free_cycles = contention_free_of(inputs, i, row_sums_[i]);
            node.thread_response_cycles = inputs.work_of(i) + inputs.send_overhead_cycles;
            node.reply_response_cycles = inputs.handler_cycles;
        }
    }
}

/// (28), (19) and (20). A row of V is read once for both of its products.
void Iteration::cycle_times() {
    std::fill(arrivals_.begin(), arrivals_.end(), 0.0);
    for (std::size_t i = 0; i < processors_; ++i) {
        LopcNode& node = nodes_[i];
        if (!node.asks) {
            continue;
        }
        const double* row = inputs_.visits.row(i);
        node.response_cycles = node.thread_response_cycles + node.reply_response_cycles +
                               (1.0 + row_sums_[i]) * inputs_.network_cycles +
                               product(row, visit_cycles_.data(), processors_);  // (28)
        node.requests_per_cycle = 1.0 / node.response_cycles;                    // (19)
        for (std::size_t k = 0; k < processors_; ++k) {
            arrivals_[k] += row[k] * node.requests_per_cycle;  // (20)
        }
    }
}

/// (21) to (27) at one node. Q_qk is of the same R_qk that is in the threads' turns, so it never is
/// more than the visits under way; U_qk follows from it as S Q_qk/R_qk, which stays below 1 on the
/// way as well and is (21) once R_qk has settled.
double Iteration::node_times(std::size_t k, double part) {
    LopcNode& node = nodes_[k];
    const double s = request_handler_;
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
    visit_cycles_[k] = request;
    node.request_utilization =  // (21)
        request > 0.0 ? std::min(s * node.requests_queued / request, kLopcMostUtilization) : 0.0;
    if (!node.asks) {
        return change;
    }
    change = std::max(change, lopc_move(node.reply_response_cycles,
                                        inputs_.handler_cycles + std::max(0.0, requests_ahead),
                                        part));  // (26), (6')
    if (!inputs_.protocol_processor) {
        const double thread = inputs_.work_of(k) + inputs_.send_overhead_cycles;
        change = std::max(change, lopc_move(node.thread_response_cycles,
                                            (thread + s * node.requests_queued) /
                                                (1.0 - node.request_utilization),
                                            part));  // (27)
    }
    return change;
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
                             "a square matrix, a row and a column a node");
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
            "1 to " + std::to_string(processors - 1) + " nodes, so that a client is left");
    }
    LopcVisits visits(static_cast<std::size_t>(processors));
    for (auto i = static_cast<std::size_t>(servers); i < visits.processors(); ++i) {
        std::fill_n(visits.row(i), servers, visits_per_request / servers);
    }
    return visits;
}

void check_lopc_general(const LopcGeneralInputs& inputs) {
    const std::size_t processors = inputs.visits.processors();
    require_count("visits (V), its rows", static_cast<int>(processors), 1, "nodes");
    if (inputs.work_cycles.size() != 1 && inputs.work_cycles.size() != processors) {
        throw ModelError(
            "work_cycles (W) has " + std::to_string(inputs.work_cycles.size()) + " values",
            "one for all threads, or " + std::to_string(processors) + ", one a thread");
    }
    for (const double work : inputs.work_cycles) {
        require_quantity("work_cycles (W)", work, 0.0, "cycles");
    }
    check_lopc_handlers(inputs);

    bool any_asks = false;
    for (std::size_t i = 0; i < processors; ++i) {
        const std::string where = " in row " + std::to_string(i);
        for (std::size_t k = 0; k < processors; ++k) {
            const double entry = inputs.visits.row(i)[k];
            if (!(entry >= 0.0 && entry <= kMostVisits)) {
                throw ModelError("visits (V) has " + shortest_text(entry) + where,
                                 "0 to " + shortest_text(kMostVisits) + " visits a request");
            }
        }
        const double sum = inputs.visits.visits_per_request(i);
        if (sum == 0.0) {
            continue;
        }
        any_asks = true;
        if (sum < 1.0 - kRowRounding) {
            throw ModelError("visits (V) adds to " + shortest_text(sum) + where,
                             "1 or more visits a request, or 0 for a thread that never "
                             "asks");
        }
        if (contention_free_of(inputs, i, sum) < kLopcShortestTurn) {
            throw ModelError("the turn of thread " + std::to_string(i) + " without contention is " +
                                 shortest_text(contention_free_of(inputs, i, sum)),
                             shortest_text(kLopcShortestTurn) + " cycles or more");
        }
    }
    if (!any_asks) {
        throw ModelError("visits (V) is 0 throughout", "a thread that asks");
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

}  // namespace weir::experiments::models
