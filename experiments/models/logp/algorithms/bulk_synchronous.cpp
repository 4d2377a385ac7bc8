#include "experiments/models/logp/algorithms/bulk_synchronous.h"

#include <algorithm>
#include <string>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/logp/algorithms/broadcast.h"

namespace weir::experiments::models {
namespace {

/// Number of supersteps in which a tree of this fan-out reaches or drains `count` processors.
std::int64_t tree_supersteps(std::int64_t count, int fan_out) {
    std::int64_t supersteps = 0;
    for (std::int64_t reached = 1; reached < count; reached *= fan_out + 1) {
        ++supersteps;
    }
    return supersteps;
}

/// The lowest cost over all fan-outs from 1 to count - 1; cost_of(fan_out) returns a BspCost.
template <typename CostOf>
BspCost best_fan_out(std::int64_t count, const CostOf& cost_of) {
    BspCost best = cost_of(1);
    for (int fan_out = 2; fan_out < count; ++fan_out) {
        const BspCost cost = cost_of(fan_out);
        if (cost.cycles < best.cycles) {
            best = cost;
        }
    }
    return best;
}

}  // namespace

BspMachine bsp_machine_of(const LogpMachine& machine, BspBarrier barrier) {
    const double synchronisation = barrier == BspBarrier::kHardware
                                       ? 0.0
                                       : 2.0 * logp_optimal_broadcast(machine).finish_cycles;
    return {
        .gap_cycles = logp_exchange_interval_cycles(machine),
        .periodicity_cycles = logp_delivery_cycles(machine) + synchronisation,
        .processors = machine.processors,
    };
}

double bsp_superstep_cycles(const BspMachine& machine, double work_cycles, double relation) {
    return std::max({work_cycles, machine.gap_cycles * relation, machine.periodicity_cycles});
}

BspCost bsp_broadcast(const BspMachine& machine) {
    if (machine.processors == 1) {
        return {};
    }
    return best_fan_out(machine.processors, [&](int fan_out) {
        const std::int64_t supersteps = tree_supersteps(machine.processors, fan_out);
        return BspCost{
            static_cast<double>(supersteps) * bsp_superstep_cycles(machine, 0.0, fan_out),
            supersteps, fan_out};
    });
}

BspCost bsp_summation(const BspMachine& machine, std::int64_t values) {
    const std::int64_t used = std::min<std::int64_t>(machine.processors, values);
    const auto local = static_cast<double>(quotient_rounded_up(values, used) - 1);
    if (used == 1) {
        return {bsp_superstep_cycles(machine, local, 0.0), 1, 0};
    }
    return best_fan_out(used, [&](int fan_in) {
        const std::int64_t rounds = tree_supersteps(used, fan_in);
        // The additions of a round are in the superstep that exchanges the next round's messages.
        return BspCost{
            bsp_superstep_cycles(machine, local, fan_in) +
                static_cast<double>(rounds - 1) * bsp_superstep_cycles(machine, fan_in, fan_in) +
                bsp_superstep_cycles(machine, fan_in, 0.0),
            rounds + 1, fan_in};
    });
}

void declare_bsp_barrier(Model& model, BspBarrier& barrier) {
    model.flag(barrier, "hardware_barrier",
               "true: in BSP's outputs, hardware synchronises supersteps at no cost");
}

namespace {

class BspSuperstepModel final : public Model {
  public:
    BspSuperstepModel()
        : Model("bsp-superstep", "Superstep of BSP on a machine with LogP's parameters",
                kLogpPaper + "section 6.3, after Valiant (1990)") {
        declare_logp_machine(*this, machine_);
        input(work_cycles_, "work_cycles", "w",
              "Longest computation of a processor in the superstep");
        input(relation_, "relation_messages", "h",
              "Largest number of messages that a processor sends or receives in the superstep");
        declare_bsp_barrier(*this, barrier_);
        output([this] { return bsp_superstep_cycles(bsp_, work_cycles_, relation_); },
               "superstep_cycles", "", "Length of the superstep", "max(w, g_b h, l)");
        output(bsp_.gap_cycles, "bsp_gap_cycles", "g_b", "Time for each message of an h-relation",
               "max(g, 2o)");
        output(bsp_.periodicity_cycles, "bsp_periodicity_cycles", "l",
               "Length of the shortest superstep, synchronisation included",
               "L + 2o and two broadcasts for the barrier");
        output([this] { return bsp_superstep_cycles(bsp_, 0.0, relation_); }, "least_work_cycles",
               "", "Shortest computation that hides communication and barrier");
    }

  private:
    void evaluate() override {
        bsp_ = bsp_machine_of(machine_, barrier_);
        note("The LogP paper prints neither g_b nor l; they are derived from L, o, g and P.");
        note("max(w, g_b h, l) leaves out the latency of the last of the h messages.");
    }

    LogpMachine machine_;
    double work_cycles_ = kNotGiven;
    double relation_ = kNotGiven;
    BspBarrier barrier_ = BspBarrier::kMessages;
    BspMachine bsp_;
};

}  // namespace

std::unique_ptr<Model> bsp_superstep_model() { return std::make_unique<BspSuperstepModel>(); }

}  // namespace weir::experiments::models
