#include "experiments/models/queueing/md1_all_to_any.h"

#include "experiments/models/catalogue/model.h"
#include "experiments/models/contention_root.h"
#include "experiments/models/lopc/lopc_fixed_point.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {

namespace {

// If a turn takes R. At least two handlers are in it, so that rho is at most 1/2.
Md1Solution solution_at(const Md1Inputs& inputs, double response_cycles) {
    const double service = inputs.handler_cycles;
    const double utilization = service / response_cycles;
    const double waiting = utilization * service / (2.0 * (1.0 - utilization));
    const double requests = utilization + waiting / response_cycles;  // Little's law
    const double interference =                                       // LoPC (7)
        inputs.protocol_processor
            ? 0.0
            : (service * requests + inputs.work_cycles * utilization) / (1.0 - utilization);
    return {.response_cycles = response_cycles,
            .utilization = utilization,
            .requests_at_node = requests,
            .contention = {.interference_cycles = interference,
                           .request_queueing_cycles = waiting,
                           .reply_queueing_cycles = waiting}};
}

}  // namespace

Md1Solution solve_md1_all_to_any(const Md1Inputs& inputs) {
    require_quantity("work_cycles (W)", inputs.work_cycles, 0.0, "cycles");
    require_quantity("network_cycles (S_l)", inputs.network_cycles, 0.0, "cycles");
    require_quantity("handler_cycles (S_o)", inputs.handler_cycles, 0.0, "cycles");
    const double contention_free =
        inputs.work_cycles + 2.0 * inputs.network_cycles + 2.0 * inputs.handler_cycles;
    if (contention_free < kLopcShortestTurn) {
        throw ModelError(
            "work_cycles (W), network_cycles (S_l) and handler_cycles (S_o): W + 2 S_l + 2 S_o "
            "is " +
            shortest_text(contention_free) + "; accepted: " + shortest_text(kLopcShortestTurn) +
            " cycles or more");
    }
    const double contention = solve_for_contention(contention_free, [&](double response_cycles) {
        return solution_at(inputs, response_cycles).contention.total_cycles();
    });
    Md1Solution solution = solution_at(inputs, contention_free + contention);
    solution.contention_free_cycles = contention_free;
    return solution;
}

namespace {

class Md1AllToAny final : public Model {
  public:
    Md1AllToAny()
        : Model("md1-all-to-any",
                "A turn of work, request and reply where every node is an M/D/1 queue",
                "Kleinrock, Queueing Systems, Volume 1 (1975), Chapter 5") {
        input(WEIR_NAMED(in_, work_cycles), "W", "A thread's work between two requests");
        input(WEIR_NAMED(in_, network_cycles), "S_l", "One way through the network, LogP's L");
        input(WEIR_NAMED(in_, handler_cycles), "S_o",
              "One message handler, its interrupt included");
        flag(WEIR_NAMED(in_, protocol_processor), "Handlers run beside the thread");
        output(WEIR_NAMED(out_, response_cycles), "R", "A turn: work, request and reply");
        output(WEIR_NAMED(out_, contention_free_cycles), "", "A turn by LogP: nothing contends");
        output([this] { return out_.contention.total_cycles(); }, "contention_cycles", "C",
               "What contention adds to a turn");
        output(out_.contention.request_queueing_cycles, "waiting_cycles", "W_q",
               "A request or a reply waits for requests there", "Pollaczek-Khinchine");
        output(WEIR_NAMED(out_.contention, interference_cycles), "R_w - W",
               "Requests interrupt the thread", "LoPC (7)");
        output(WEIR_NAMED(out_, utilization), "rho", "Share of a processor that runs requests");
        output(WEIR_NAMED(out_, requests_at_node), "", "Requests at a node, waiting or in service");
    }

  private:
    void evaluate() override {
        out_ = solve_md1_all_to_any(in_);
        note("No request waits for a reply's handler, which LoPC's do: lopc-all-to-any.");
    }

    Md1Inputs in_;
    Md1Solution out_;
};

}  // namespace

std::unique_ptr<Model> md1_all_to_any_model() { return std::make_unique<Md1AllToAny>(); }

}  // namespace weir::experiments::models
