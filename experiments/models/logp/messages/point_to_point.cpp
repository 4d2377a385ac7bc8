#include <cmath>
#include <memory>
#include <optional>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/logp/logp.h"
#include "experiments/models/logp/logp_machine.h"
#include "experiments/models/model_error.h"

/// LogP, point to point, with the gap: a message, a remote read, prefetches, and how many may be
/// under way.
///
/// Source: Culler et al. (1993), sections 3 and 3.2. The paper has one overhead o for sending and
/// for receiving; here they may differ, and o_s = o_r = o gives the paper's formulas.
namespace weir::experiments::models {
namespace {

class PointToPointModel final : public Model {
  public:
    PointToPointModel()
        : Model("logp-point-to-point", "One message, a remote read, prefetches and capacity",
                kLogpPaper + "sections 3 and 3.2") {
        input(WEIR_NAMED(message_, latency_cycles), "L", "A message in the network");
        input(WEIR_NAMED(message_, send_overhead_cycles), "o_s", "The processor's part of sending");
        input(WEIR_NAMED(message_, receive_overhead_cycles), "o_r",
              "The processor's part of receiving");
        input(gap_cycles_, "gap_cycles", "g",
              "Between two sends, or two receptions, of a processor");
        input(work_cycles_, "work_cycles", "W", "Work before each remote read");
        output([this] { return logp_message_cycles(message_); }, "message_cycles", "",
               "From the start of the send to the end of the reception", "Section 5: o + L + o");
        output([this] { return logp_round_trip_cycles(message_, 0.0); }, "remote_read_cycles", "",
               "Request and reply", "Section 3.2: 2L + 4o");
        output([this] { return logp_round_trip_cycles(message_, work_cycles_); },
               "iteration_cycles", "R", "Work and a remote read", "W + 2L + 4o");
        output([this] { return both_overheads(); }, "asynchronous_iteration_cycles", "",
               "A turn of a node that sends, receives and waits for nothing", "o_s + o_r");
        output([this] { return both_overheads(); }, "prefetch_overhead_cycles", "",
               "The processor's time a prefetch takes", "Section 3.2: 2o");
        output([this] { return std::max(gap_cycles_, both_overheads()); },
               "prefetch_interval_cycles", "",
               "Between two prefetches, or the processor's time if longer",
               "Section 3.2: max(g, 2o)");
        output(capacity_messages_, "capacity_messages", "",
               "On their way from or to a processor, at most", "Section 3: ceil(L/g)");
        output(multithreading_limit_, "multithreading_limit", "",
               "Virtual processors of a processor whose waiting pays", "Section 3.2: L/g");
    }

  private:
    [[nodiscard]] double both_overheads() const {
        return logp_asynchronous_iteration_cycles(message_);
    }

    void evaluate() override {
        multithreading_limit_.reset();
        capacity_messages_.reset();
        if (gap_cycles_ == 0.0) {
            note("Without a gap (g = 0) nothing limits the messages on their way.");
            return;
        }
        multithreading_limit_ = message_.latency_cycles / gap_cycles_;
        if (!std::isfinite(*multithreading_limit_)) {
            throw ModelError("gap_cycles (g) is " + shortest_text(gap_cycles_),
                             "0, or enough for L/g to be a number");
        }
        capacity_messages_ = std::ceil(*multithreading_limit_);
    }

    LogpInputs message_;
    double gap_cycles_ = kNotGiven;
    double work_cycles_ = 0.0;
    std::optional<double> capacity_messages_;
    std::optional<double> multithreading_limit_;
};

}  // namespace

std::unique_ptr<Model> logp_point_to_point_model() { return std::make_unique<PointToPointModel>(); }

}  // namespace weir::experiments::models
