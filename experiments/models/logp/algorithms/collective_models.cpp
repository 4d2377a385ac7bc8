#include "experiments/models/logp/algorithms/collective_models.h"

#include <memory>
#include <string>
#include <vector>

#include "experiments/models/logp/algorithms/broadcast.h"
#include "experiments/models/logp/algorithms/bulk_synchronous.h"
#include "experiments/models/logp/algorithms/number_row.h"
#include "experiments/models/logp/algorithms/parallel_random_access.h"
#include "experiments/models/logp/algorithms/summation.h"
#include "experiments/models/logp/machine_inputs.h"

namespace weir::experiments::models {
namespace {

class BroadcastModel final : public Model {
  public:
    BroadcastModel()
        : Model("logp-broadcast", "One datum to all, by the optimal tree and by others",
                kLogpPaper + "section 3.3 and Figure 3") {}

  private:
    void evaluate() override {
        const LogpMachine machine = machine_.machine();
        const BroadcastSchedule schedule = logp_optimal_broadcast(machine);
        finish_cycles_ = schedule.finish_cycles;
        binary_tree_cycles_ = logp_binary_tree_broadcast(machine).finish_cycles;
        binomial_tree_cycles_ = logp_binomial_broadcast(machine).finish_cycles;
        flat_cycles_ = logp_flat_broadcast(machine).finish_cycles;
        pram_steps_ = static_cast<double>(pram_broadcast_steps(machine.processors));
        const BspCost bsp = bsp_broadcast(bsp_machine_of(machine, barrier_.barrier()));
        bsp_cycles_ = bsp.cycles;
        bsp_supersteps_ = static_cast<double>(bsp.supersteps);
        bsp_fan_out_ = bsp.fan_out;
        std::vector<int> sends_of(schedule.informed_cycles.size(), 0);
        for (const BroadcastSend& send : schedule.sends) {
            sends_.add_row(number_row({send.send_cycle, static_cast<double>(send.from),
                                       static_cast<double>(send.to), send.receive_cycle,
                                       send.informed_cycle}));
            ++sends_of[static_cast<std::size_t>(send.from)];
        }
        for (std::size_t i = 0; i < sends_of.size(); ++i) {
            processors_.add_row(number_row({static_cast<double>(i), schedule.informed_cycles[i],
                                            static_cast<double>(sends_of[i])}));
        }
    }

    LogpMachineInputs machine_{*this};
    BspBarrierInput barrier_{*this};
    Output finish_cycles_{*this, "finish_cycles", "", "The last processor has it, optimally",
                          "Section 3.3"};
    Output binary_tree_cycles_{*this, "binary_tree_cycles", "", "If each sends to two others"};
    Output binomial_tree_cycles_{*this, "binomial_tree_cycles", "",
                                 "If their number doubles in each round"};
    Output flat_cycles_{*this, "flat_cycles", "", "If the source sends to all itself"};
    Output pram_steps_{*this, "pram_steps", "", "A PRAM's, with exclusive reads",
                       "Section 6.1: ceil(log2 P)"};
    Output bsp_cycles_{*this, "bsp_cycles", "", "BSP's, with the best fan-out", kBspEquation};
    Output bsp_supersteps_{*this, "bsp_supersteps", "", "BSP's supersteps"};
    Output bsp_fan_out_{*this, "bsp_fan_out", "h", "That a processor sends in a BSP superstep"};
    OutputTable sends_{*this,
                       "sends",
                       "Who sends when and to whom, in the optimal tree",
                       {{"send_cycle", "the sender's overhead starts"},
                        {"from", "processor"},
                        {"to", "processor"},
                        {"receive_cycle", "the receiver's overhead starts"},
                        {"informed_cycle", "the receiver can send it on"}},
                       "Section 3.3"};
    OutputTable processors_{*this,
                            "processors",
                            "When each processor has the datum, in the optimal tree",
                            {{"processor", "in the order they are reached"},
                             {"informed_cycle", "it has the datum"},
                             {"sends", "processors it sends to"}},
                            "Figure 3"};
};

/// What both directions of the summation answer with: the schedule for a time.
class SummationOutputs {
  public:
    explicit SummationOutputs(Model& model)
        : processors_used_{model, "processors_used", "", "That sum, the root included",
                           "Section 3.3"},
          processors_{model,
                      "schedule",
                      "What each processor sums, and when it sends",
                      {{"processor", "0 is the root"},
                       {"parent", "gets its sum; -1 at the root"},
                       {"completion_cycle", "its sum is there, its send starts"},
                       {"local_inputs", "inputs in its memory"},
                       {"children", "sums it receives"},
                       {"first_receive_cycle", "-1 without children"},
                       {"last_receive_cycle", "-1 without children"}},
                      "Section 3.3, Figure 4"} {}

    void fill(const SummationSchedule& schedule) {
        processors_used_ = static_cast<double>(schedule.processors.size());
        for (std::size_t i = 0; i < schedule.processors.size(); ++i) {
            const SummingProcessor& processor = schedule.processors[i];
            const auto& receptions = processor.receive_cycles;
            processors_.add_row(
                number_row({static_cast<double>(i), static_cast<double>(processor.parent),
                            static_cast<double>(processor.completion_cycle),
                            static_cast<double>(processor.local_inputs),
                            static_cast<double>(processor.children.size()),
                            static_cast<double>(receptions.empty() ? -1 : receptions.front()),
                            static_cast<double>(receptions.empty() ? -1 : receptions.back())}));
        }
    }

  private:
    Output processors_used_;
    OutputTable processors_;
};

class SummationModel final : public Model {
  public:
    SummationModel()
        : Model("logp-summation", "The most values summed in a given time",
                kLogpPaper + "section 3.3 and Figure 4") {}

  private:
    void evaluate() override {
        const SummationSchedule schedule =
            logp_optimal_summation(machine_.machine(), time_cycles_.value());
        values_ = static_cast<double>(schedule.values);
        one_processor_values_ = static_cast<double>(time_cycles_.value() + 1);
        outputs_.fill(schedule);
    }

    SummationMachineInputs machine_{*this};
    CountInput time_cycles_{
        *this, "time_cycles", "T", "The time; an addition takes one cycle", {0.0, 1e10}};
    Output values_{*this, "values", "n", "Summed, at most", "Section 3.3"};
    Output one_processor_values_{*this, "one_processor_values", "", "Summed by one processor alone",
                                 "Section 3.3: T + 1"};
    SummationOutputs outputs_{*this};
};

class SummationTimeModel final : public Model {
  public:
    SummationTimeModel()
        : Model("logp-summation-time", "The least time to sum a given number of values",
                kLogpPaper + "section 3.3") {}

  private:
    void evaluate() override {
        const SummationMachine machine = machine_.machine();
        const std::int64_t values = values_.value();
        const std::int64_t time = logp_least_summation_cycles(machine, values);
        const SummationSchedule schedule = logp_optimal_summation(machine, time);
        time_cycles_ = static_cast<double>(time);
        most_values_ = static_cast<double>(schedule.values);
        binomial_tree_cycles_ =
            static_cast<double>(logp_binomial_summation_cycles(machine, values));
        one_processor_cycles_ = static_cast<double>(values - 1);
        pram_steps_ = static_cast<double>(pram_summation_steps(machine.processors, values));
        const BspCost bsp =
            bsp_summation(bsp_machine_of(machine_.logp_machine(), barrier_.barrier()), values);
        bsp_cycles_ = bsp.cycles;
        bsp_supersteps_ = static_cast<double>(bsp.supersteps);
        outputs_.fill(schedule);
    }

    SummationMachineInputs machine_{*this};
    CountInput values_{*this, "values", "n", "To be summed", {1.0, 1e12}};
    BspBarrierInput barrier_{*this};
    Output time_cycles_{*this, "time_cycles", "T", "At least", "Section 3.3"};
    Output most_values_{*this, "most_values", "", "That this time has room for"};
    Output binomial_tree_cycles_{*this, "binomial_tree_cycles", "",
                                 "Inputs spread evenly, partial sums pairwise"};
    Output one_processor_cycles_{*this, "one_processor_cycles", "", "On one processor", "n - 1"};
    Output pram_steps_{*this, "pram_steps", "", "A PRAM's",
                       "Section 6.1: ceil(n/P) - 1 + ceil(log2 P)"};
    Output bsp_cycles_{*this, "bsp_cycles", "", "BSP's, inputs spread evenly, with the best fan-in",
                       kBspEquation};
    Output bsp_supersteps_{*this, "bsp_supersteps", "", "BSP's supersteps"};
    SummationOutputs outputs_{*this};
};

class BspSuperstepModel final : public Model {
  public:
    BspSuperstepModel()
        : Model("bsp-superstep", "A superstep of BSP, on a machine given by LogP's parameters",
                kLogpPaper + "section 6.3, after Valiant (1990)") {}

  private:
    void evaluate() override {
        const BspMachine machine = bsp_machine_of(machine_.machine(), barrier_.barrier());
        bsp_gap_cycles_ = machine.gap_cycles;
        bsp_periodicity_cycles_ = machine.periodicity_cycles;
        superstep_cycles_ =
            bsp_superstep_cycles(machine, work_cycles_.value(), relation_messages_.value());
        least_work_cycles_ = bsp_superstep_cycles(machine, 0.0, relation_messages_.value());
        note("The LogP paper prints neither g_b nor l; they are derived from L, o, g and P.");
        note("max(w, g_b h, l) leaves out what h messages add to the latency of the last.");
    }

    LogpMachineInputs machine_{*this};
    QuantityInput work_cycles_{*this, "work_cycles", "w", "The longest computation of a processor"};
    QuantityInput relation_messages_{*this, "relation_messages", "h",
                                     "A processor sends and receives at most these"};
    BspBarrierInput barrier_{*this};
    Output superstep_cycles_{*this, "superstep_cycles", "", "The superstep", "max(w, g_b h, l)"};
    Output bsp_gap_cycles_{*this, "bsp_gap_cycles", "g_b", "A message of an h-relation",
                           "max(g, 2o)"};
    Output bsp_periodicity_cycles_{*this, "bsp_periodicity_cycles", "l", "The shortest superstep",
                                   "L + 2o and two broadcasts for the barrier"};
    Output least_work_cycles_{*this, "least_work_cycles", "",
                              "Work that hides communication and barrier"};
};

}  // namespace

Models logp_collective_models() {
    Models models;
    models.push_back(std::make_unique<BroadcastModel>());
    models.push_back(std::make_unique<SummationModel>());
    models.push_back(std::make_unique<SummationTimeModel>());
    models.push_back(std::make_unique<BspSuperstepModel>());
    return models;
}

}  // namespace weir::experiments::models
