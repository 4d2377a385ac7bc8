#include <algorithm>
#include <cstdint>
#include <memory>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/logp/logp_machine.h"

/// LogP for a long message, sent as many small messages that each pay the overhead.
///
/// Source: Culler et al. (1993), section 5.4. In section 5.4, o is paid for every word or small
/// number of words, and a second processor for messages at best doubles a node. Section 5.2 has the
/// CM-5's synchronous send. Section 3.1 raises o to g, which overestimates time by at most a factor
/// of two. The paper gives section 5.4 in words only; the equation here is that of a pipeline whose
/// stages start max(g, o) apart.
namespace weir::experiments::models {
namespace {

class LongMessageModel final : public Model {
  public:
    LongMessageModel()
        : Model("logp-long-message",
                "Long message sent as many small ones while the processor works",
                kLogpPaper + "sections 3.1, 5.2 and 5.4") {
        input(WEIR_NAMED(machine_, latency_cycles), "L",
              "Latency of a small message in the network");
        input(WEIR_NAMED(machine_, overhead_cycles), "o",
              "Processor time to send a small message, and to receive one");
        input(WEIR_NAMED(machine_, gap_cycles), "g",
              "Shortest time between two small messages of a processor");
        input(small_messages_, "small_messages", "k",
              "Number of small messages that make up the long one", {1.0, 1e12});
        input(work_cycles_, "work_cycles", "W", "Work of the sending processor during the message");
        output(
            [this] {
                return sending_cycles() + machine_.latency_cycles + machine_.overhead_cycles;
            },
            "message_cycles", "", "Time from the first send to the end of the last reception",
            "Section 5.4: o + (k-1) max(g, o) + L + o");
        output(
            [this] { return 3.0 * logp_delivery_cycles(machine_) + count() * machine_.gap_cycles; },
            "synchronous_send_cycles", "",
            "Time of the CM-5's synchronous send: a pair of messages, then the data",
            "Section 5.2: 3(L + 2o) + ng");
        output([this] { return overheads_cycles(); }, "processor_busy_cycles", "",
               "Processor time of the sender for all small messages", "k o");
        output(
            [this] { return std::max(work_cycles_ + overheads_cycles(), sending_cycles()); },
            "one_processor_cycles", "",
            "Time for work and sending on one processor, which works in the gaps between messages",
            "max(W + k o, (k-1) max(g, o) + o)");
        output([this] { return std::max(work_cycles_, sending_cycles()); }, "two_processors_cycles",
               "", "Time for work and sending if a second processor sends the messages",
               "Section 5.4: max(W, (k-1) max(g, o) + o)");
        output([this] { return work_cycles_ + count() * logp_send_interval_cycles(machine_); },
               "overhead_as_gap_cycles", "", "Time for work and sending if o is as long as g",
               "Section 3.1: W + k max(g, o)");
    }

  private:
    [[nodiscard]] double count() const { return static_cast<double>(small_messages_); }
    [[nodiscard]] double overheads_cycles() const { return count() * machine_.overhead_cycles; }
    [[nodiscard]] double sending_cycles() const {
        return (count() - 1.0) * logp_send_interval_cycles(machine_) + machine_.overhead_cycles;
    }

    void evaluate() override {
        note(
            "The paper says in words that each small message pays o; message_cycles is a "
            "pipeline's time.");
        note(
            "LogP treats hardware for long messages as a second processor: at best twice as fast.");
    }

    LogpMachine machine_;
    std::int64_t small_messages_ = 0;
    double work_cycles_ = 0.0;
};

}  // namespace

std::unique_ptr<Model> logp_long_message_model() { return std::make_unique<LongMessageModel>(); }

}  // namespace weir::experiments::models
