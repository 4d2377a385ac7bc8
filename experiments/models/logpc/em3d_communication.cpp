#include <cmath>
#include <memory>
#include <string>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/model_error.h"

/// Messages of EM3D's core phase and their cost. Every node of EM3D's graph needs the values of its
/// neighbours. The values come in blocks, as short messages, before each half of an iteration:
/// first for the E nodes, then for the H nodes.
///
/// Source: Moritz and Frank, "LoGPC" (2001), section 5.3. A message costs o_s + o_r whatever the
/// network does, since nothing waits for it. The papers do not say how edges spread over
/// processors. Here all processors have equally many edges, and equally many to each of their
/// destinations.
namespace weir::experiments::models {
namespace {

class Em3d final : public Model {
  public:
    Em3d()
        : Model("logpc-em3d", "Processor time of the messages of EM3D's core phase",
                "LoGPC (2001), section 5.3") {
        constexpr Limits kOneOrMore = {1.0, kLargestQuantity};
        constexpr Limits kNumbers = {1.0, 1e9};
        input(processors_, "processors", "P", "Number of nodes of the machine", {2.0, 1e9});
        input(graph_nodes_, "graph_nodes", "",
              "Number of nodes of the graph, E and H nodes together", {2.0, kLargestQuantity});
        input(degree_, "degree", "", "Number of edges of each node of the graph", kOneOrMore);
        input(nonlocal_share_, "nonlocal_share", "", "Share of edges between different processors",
              {0.0, 1.0});
        input(values_per_message_, "values_per_message", "", "Number of values in one message",
              kOneOrMore);
        input(destinations_, "destinations", "",
              "Number of destinations of each processor, with equal shares of its values",
              kNumbers);
        input(iterations_, "iterations", "", "Number of iterations of the core phase", kNumbers);
        input(work_cycles_, "work_cycles", "W", "Computation of a processor in an iteration");
        input(send_overhead_cycles_, "send_overhead_cycles", "o_s",
              "Processor time to compose and launch a message");
        input(receive_overhead_cycles_, "receive_overhead_cycles", "o_r",
              "Processor time for the interrupt and handler of a message");

        output([this] { return communication_cycles(); }, "communication_cycles", "",
               "Processor time for messages in an iteration", "Section 5.3");
        output([this] { return messages(); }, "messages_per_iteration", "",
               "Number of messages that a processor sends, and receives, in an iteration",
               "Section 5.3");
        output([this] { return values(); }, "values_per_iteration", "",
               "Number of values that a processor sends, and receives, in an iteration",
               "Section 5.3");
        output([this] { return iteration_cycles(); }, "iteration_cycles", "",
               "Time of an iteration: communication and work", "Section 5.3");
        output([this] { return iterations_ * iteration_cycles(); }, "runtime_cycles", "",
               "Time of all iterations", "Section 5.3");
        output(
            [this] {
                const double iteration = iteration_cycles();
                return iteration > 0.0 ? communication_cycles() / iteration : 0.0;
            },
            "communication_share", "", "Share of the run time that is communication",
            "Section 5.3");
    }

  private:
    [[nodiscard]] double values() const {
        return graph_nodes_ * degree_ * nonlocal_share_ / processors_;
    }
    /// Values to each destination are cut into blocks; the number of blocks is rounded up.
    [[nodiscard]] double messages() const {
        constexpr double kHalves = 2.0;  // an iteration's halves: E nodes, H nodes
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
            "LoGPC and LogP agree here: nothing waits for a message. The paper measured a gain of "
            "20 % by spreading messages, and 70 % of stalls; no equation gives these numbers.");
        note(
            "The paper prints neither the work of an iteration nor o_s and o_r of a message with "
            "10 values. Figure 11's run times cannot be checked.");
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
