#include <cmath>
#include <memory>
#include <string>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/model_error.h"

/// What EM3D's core phase sends, and what that costs: every node of its graph needs the values of
/// its neighbours, which come in blocks, as short messages, before each half of an iteration (first
/// the E nodes, then the H nodes).
///
/// Source: Moritz and Frank, "LoGPC" (2001), section 5.3: o_s + o_r per message, whatever the
/// network does, since nothing waits. The papers do not say how edges spread over processors; here
/// all processors have as many, and as many to each processor they send to.
namespace weir::experiments::models {
namespace {

class Em3d final : public Model {
  public:
    Em3d()
        : Model("logpc-em3d", "EM3D's core phase: what its messages cost the processors",
                "LoGPC (2001), section 5.3") {
        constexpr Limits kOneOrMore = {1.0, kLargestQuantity};
        constexpr Limits kNumbers = {1.0, 1e9};
        input(processors_, "processors", "P", "Nodes of the machine", {2.0, 1e9});
        input(graph_nodes_, "graph_nodes", "", "E and H nodes together", {2.0, kLargestQuantity});
        input(degree_, "degree", "", "Edges of each node of the graph", kOneOrMore);
        input(nonlocal_share_, "nonlocal_share", "", "Share of edges that leave their processor",
              {0.0, 1.0});
        input(values_per_message_, "values_per_message", "", "Values sent in one message",
              kOneOrMore);
        input(destinations_, "destinations", "", "Processors that one sends to, equally much",
              kNumbers);
        input(iterations_, "iterations", "", "Iterations of the core phase", kNumbers);
        input(work_cycles_, "work_cycles", "W", "A processor's computation in an iteration");
        input(send_overhead_cycles_, "send_overhead_cycles", "o_s",
              "The processor composes and launches");
        input(receive_overhead_cycles_, "receive_overhead_cycles", "o_r",
              "The processor is interrupted and handles");

        output([this] { return communication_cycles(); }, "communication_cycles", "",
               "A processor's messages in an iteration", "Section 5.3");
        output([this] { return messages(); }, "messages_per_iteration", "",
               "That a processor sends, and as many it receives", "Section 5.3");
        output([this] { return values(); }, "values_per_iteration", "",
               "That a processor sends, and as many it receives", "Section 5.3");
        output([this] { return iteration_cycles(); }, "iteration_cycles", "",
               "Communication and work", "Section 5.3");
        output([this] { return iterations_ * iteration_cycles(); }, "runtime_cycles", "",
               "All iterations", "Section 5.3");
        output(
            [this] {
                const double iteration = iteration_cycles();
                return iteration > 0.0 ? communication_cycles() / iteration : 0.0;
            },
            "communication_share", "", "Communication's share of the run time", "Section 5.3");
    }

  private:
    [[nodiscard]] double values() const {
        return graph_nodes_ * degree_ * nonlocal_share_ / processors_;
    }
    /// Blocks are rounded up.
    [[nodiscard]] double messages() const {
        constexpr double kHalves = 2.0;  // E nodes, H nodes
        const double values_for_one = values() / kHalves / destinations_;
        return kHalves * destinations_ * std::ceil(values_for_one / values_per_message_);
    }
    [[nodiscard]] double communication_cycles() const {
        return messages() * (send_overhead_cycles_ + receive_overhead_cycles_);
    }
    [[nodiscard]] double iteration_cycles() const { return work_cycles_ + communication_cycles(); }

    void evaluate() override {
        if (destinations_ >= processors_) {
            throw ModelError("destinations is " + std::to_string(destinations_),
                             "1 to " + std::to_string(processors_ - 1) + " processors, the others");
        }
        note(
            "LoGPC predicts here what LogP does: nothing waits for a message. The 20 % that "
            "spreading "
            "the messages gained, and the 70 % of stalls, were measured; no equation gives them.");
        note(
            "The paper does not print the work of an iteration, nor the o_s and o_r of a message "
            "with 10 values (Table 1 ends at 2 arguments): Figure 11's run times stay open.");
    }

    int processors_ = 0;
    double graph_nodes_ = kNotGiven;
    double degree_ = kNotGiven;
    double nonlocal_share_ = kNotGiven;
    double values_per_message_ = kNotGiven;
    int destinations_ = 1;
    int iterations_ = 1;
    double work_cycles_ = 0.0;
    double send_overhead_cycles_ = kNotGiven;
    double receive_overhead_cycles_ = kNotGiven;
};

}  // namespace

std::unique_ptr<Model> logpc_em3d_model() { return std::make_unique<Em3d>(); }

}  // namespace weir::experiments::models
