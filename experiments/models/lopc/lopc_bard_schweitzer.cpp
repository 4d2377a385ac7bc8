#include <algorithm>
#include <vector>

#include "experiments/models/lopc/lopc_checks.h"
#include "experiments/models/lopc/lopc_fixed_point.h"
#include "experiments/models/lopc/lopc_mva.h"
#include "experiments/models/lopc/lopc_mva_means.h"

namespace weir::experiments::models {
namespace {

/// Bard-Schweitzer's state: what each thread's visit to each node takes.
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
        double arrivals = 0.0;       // visits a cycle
        double queued = 0.0;         // Q_qk
        double queued_next = 0.0;    // the same with the new R_ik
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
    std::vector<double> visit_cycles_;  // R_ik by rows
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

/// (28), (19), (20) and (23), each thread with its own R_ik.
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

/// (25) less the thread's own share of what is there.
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

/// (26) and (27), likewise.
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

LopcMva solve_lopc_bard_schweitzer(const LopcGeneralInputs& inputs) {
    check_lopc_general(inputs);
    refuse_lopc_stations(inputs);
    BardSchweitzer iteration(inputs);
    lopc_settle(iteration, "Bard-Schweitzer's equations");
    return iteration.means();
}

}  // namespace weir::experiments::models
