#pragma once

#include <string>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/logp/algorithms/bulk_synchronous.h"
#include "experiments/models/logp/algorithms/summation.h"
#include "experiments/models/logp/logp_machine.h"

/// The inputs L, o, g and P as the models of LogP's algorithms share them.
namespace weir::experiments::models {

/// How the models name their source; a section follows.
inline const std::string kLogpPaper = "Culler et al., LogP (1993), ";
inline const std::string kBspEquation = "Section 6.3: supersteps of max(w, g_b h, l)";

class LogpMachineInputs {
  public:
    explicit LogpMachineInputs(Model& model)
        : latency_cycles_{model, "latency_cycles", "L", "A message in the network"},
          overhead_cycles_{model, "overhead_cycles", "o",
                           "The processor's part of sending, or of receiving"},
          gap_cycles_{model, "gap_cycles", "g",
                      "Between two sends, or two receptions, of a processor"},
          processors_{model,
                      "processors",
                      "P",
                      "Processors, each with its memory",
                      {1.0, kLogpMostProcessors}} {}

    [[nodiscard]] LogpMachine machine() const {
        return {.latency_cycles = latency_cycles_.value(),
                .overhead_cycles = overhead_cycles_.value(),
                .gap_cycles = gap_cycles_.value(),
                .processors = static_cast<int>(processors_.value())};
    }

  private:
    QuantityInput latency_cycles_;
    QuantityInput overhead_cycles_;
    QuantityInput gap_cycles_;
    CountInput processors_;
};

/// The same in whole cycles, for schedules that fill the time with additions.
class SummationMachineInputs {
  public:
    explicit SummationMachineInputs(Model& model)
        : latency_cycles_{model,
                          "latency_cycles",
                          "L",
                          "A message in the network",
                          {0.0, kLongest}},
          overhead_cycles_{model,
                           "overhead_cycles",
                           "o",
                           "The processor's part of sending, or of receiving",
                           {0.0, kLongest}},
          gap_cycles_{model,
                      "gap_cycles",
                      "g",
                      "Between two sends, or two receptions, of a processor",
                      {0.0, kLongest}},
          processors_{model,
                      "processors",
                      "P",
                      "Processors, at most this many",
                      {1.0, kLogpMostProcessors}} {}

    [[nodiscard]] SummationMachine machine() const {
        return {.latency_cycles = latency_cycles_.value(),
                .overhead_cycles = overhead_cycles_.value(),
                .gap_cycles = gap_cycles_.value(),
                .processors = static_cast<int>(processors_.value())};
    }

    [[nodiscard]] LogpMachine logp_machine() const {
        return {.latency_cycles = static_cast<double>(latency_cycles_.value()),
                .overhead_cycles = static_cast<double>(overhead_cycles_.value()),
                .gap_cycles = static_cast<double>(gap_cycles_.value()),
                .processors = static_cast<int>(processors_.value())};
    }

  private:
    static constexpr auto kLongest = static_cast<double>(kSummationLongestTime);

    CountInput latency_cycles_;
    CountInput overhead_cycles_;
    CountInput gap_cycles_;
    CountInput processors_;
};

/// Whether BSP's supersteps end with a barrier that costs nothing.
class BspBarrierInput {
  public:
    explicit BspBarrierInput(Model& model)
        : hardware_barrier_{model, "hardware_barrier",
                            "BSP only: hardware synchronises a superstep at no cost"} {}

    [[nodiscard]] BspBarrier barrier() const {
        return hardware_barrier_.value() ? BspBarrier::kHardware : BspBarrier::kMessages;
    }

  private:
    FlagInput hardware_barrier_;
};

}  // namespace weir::experiments::models
