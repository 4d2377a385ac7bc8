#include <algorithm>
#include <cstdint>
#include <memory>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/logp/logp_machine.h"

/// LogP for messages of many words: each small message pays the overhead again.
///
/// Source: Culler et al. (1993), section 5.4 (long messages: o is paid for every word or small
/// number of words; a second processor for them at best doubles a node), section 5.2 (the CM-5's
/// synchronous send), section 3.1 (o as large as g, conservative by at most a factor of two). The
/// paper gives the first in words only; the sum is that of a pipeline whose stages start max(g, o)
/// apart.
namespace weir::experiments::models {
namespace {

class LongMessageModel final : public Model {
  public:
    LongMessageModel()
        : Model("logp-long-message", "A message of many small ones, and work meanwhile",
                kLogpPaper + "sections 3.1, 5.2 and 5.4") {
        input(WEIR_NAMED(machine_, latency_cycles), "L", "A small message in the network");
        input(WEIR_NAMED(machine_, overhead_cycles), "o",
              "The processor's part of a small message");
        input(WEIR_NAMED(machine_, gap_cycles), "g", "Between two small messages");
        input(small_messages_, "small_messages", "k", "What the network carries as one",
              {1.0, 1e12});
        input(work_cycles_, "work_cycles", "W", "Work of the sending node meanwhile");
        output(
            [this] {
                return sending_cycles() + machine_.latency_cycles + machine_.overhead_cycles;
            },
            "message_cycles", "", "From the first send to the end of the last reception",
            "Section 5.4: o + (k-1) max(g, o) + L + o");
        output(
            [this] { return 3.0 * logp_delivery_cycles(machine_) + count() * machine_.gap_cycles; },
            "synchronous_send_cycles", "", "With the CM-5's pair of messages before the data",
            "Section 5.2: 3(L + 2o) + ng");
        output([this] { return overheads_cycles(); }, "processor_busy_cycles", "",
               "The sending processor's time", "k o");
        output([this] { return std::max(work_cycles_ + overheads_cycles(), sending_cycles()); },
               "one_processor_cycles", "", "Work and sending, the work in the gaps",
               "max(W + k o, (k-1) max(g, o) + o)");
        output([this] { return std::max(work_cycles_, sending_cycles()); }, "two_processors_cycles",
               "", "With a second processor for the sending",
               "Section 5.4: max(W, (k-1) max(g, o) + o)");
        output([this] { return work_cycles_ + count() * logp_send_interval_cycles(machine_); },
               "overhead_as_gap_cycles", "", "Work and sending if o is raised to g",
               "Section 3.1: W + k max(g, o)");
    }

  private:
    [[nodiscard]] double count() const { return static_cast<double>(small_messages_); }
    [[nodiscard]] double overheads_cycles() const { return count() * machine_.overhead_cycles; }
    [[nodiscard]] double sending_cycles() const {
        return (count() - 1.0) * logp_send_interval_cycles(machine_) + machine_.overhead_cycles;
    }

    void evaluate() override {
        note("The paper says in words that each small message pays o; the sum is the pipeline's.");
        note("Hardware for long messages is a second processor to LogP: at best twice as fast.");
    }

    LogpMachine machine_;
    std::int64_t small_messages_ = 0;
    double work_cycles_ = 0.0;
};

}  // namespace

std::unique_ptr<Model> logp_long_message_model() { return std::make_unique<LongMessageModel>(); }

}  // namespace weir::experiments::models
