#include <cmath>
#include <memory>
#include <optional>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/logp/logp.h"
#include "experiments/models/logp/logp_machine.h"
#include "experiments/models/model_error.h"

/// LogP, point to point, with the gap: a message, a remote read, prefetches, and the capacity of
/// the network.
///
/// Source: Culler et al. (1993), sections 3 and 3.2. The paper has one overhead o for sending and
/// receiving. In this model the send overhead o_s and the receive overhead o_r may differ; o_s =
/// o_r = o gives the paper's formulas.
namespace weir::experiments::models {
namespace {

class PointToPointModel final : public Model {
  public:
    PointToPointModel()
        : Model("logp-point-to-point",
                "Times of a message, a remote read and prefetches, and the network's capacity",
                kLogpPaper + "sections 3 and 3.2") {
        input(WEIR_NAMED(message_, latency_cycles), "L", "Latency of a message in the network");
        input(WEIR_NAMED(message_, send_overhead_cycles), "o_s",
              "Processor time to send a message");
        input(WEIR_NAMED(message_, receive_overhead_cycles), "o_r",
              "Processor time to receive a message");
        input(gap_cycles_, "gap_cycles", "g",
              "Shortest time between two sends, or two receptions, of a processor");
        input(work_cycles_, "work_cycles", "W", "Work before each remote read");
        output([this] { return logp_message_cycles(message_); }, "message_cycles", "",
               "Time from the start of the send to the end of the reception",
               "Section 5: o + L + o");
        output([this] { return logp_round_trip_cycles(message_, 0.0); }, "remote_read_cycles", "",
               "Time of a remote read: request and reply", "Section 3.2: 2L + 4o");
        output([this] { return logp_round_trip_cycles(message_, work_cycles_); },
               "iteration_cycles", "R", "Time of an iteration: work and a remote read",
               "W + 2L + 4o");
        output([this] { return both_overheads(); }, "asynchronous_iteration_cycles", "",
               "Time of an iteration of a node that sends and receives a message without waiting",
               "o_s + o_r");
        output([this] { return both_overheads(); }, "prefetch_overhead_cycles", "",
               "Processor time of a prefetch", "Section 3.2: 2o");
        output([this] { return std::max(gap_cycles_, both_overheads()); },
               "prefetch_interval_cycles", "",
               "Shortest time between two prefetches of a processor", "Section 3.2: max(g, 2o)");
        output(capacity_messages_, "capacity_messages", "",
               "Largest number of messages in flight from, or to, a processor",
               "Section 3: ceil(L/g)");
        output(multithreading_limit_, "multithreading_limit", "",
               "Largest useful number of virtual processors per processor in multithreading",
               "Section 3.2: L/g");
    }

  private:
    [[nodiscard]] double both_overheads() const {
        return logp_asynchronous_iteration_cycles(message_);
    }

    void evaluate() override {
        multithreading_limit_.reset();
        capacity_messages_.reset();
        if (gap_cycles_ == 0.0) {
            note("Without a gap (g = 0) the number of messages in flight is not limited.");
            return;
        }
        multithreading_limit_ = message_.latency_cycles / gap_cycles_;
        if (!std::isfinite(*multithreading_limit_)) {
            throw ModelError("gap_cycles (g) is " + shortest_text(gap_cycles_),
                             "0, or large enough for L/g to be finite");
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
