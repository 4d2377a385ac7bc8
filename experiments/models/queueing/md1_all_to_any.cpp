#include "experiments/models/queueing/md1_all_to_any.h"

#include "experiments/models/catalogue/model.h"
#include "experiments/models/contention_root.h"
#include "experiments/models/lopc/lopc_fixed_point.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {

namespace {

// Solution for a round trip R. A round trip contains two handlers or more, so rho is at most 1/2.
Md1Solution solution_at(const Md1Inputs& inputs, double response_cycles) {
    const double service = inputs.handler_cycles;
    const double utilization = service / response_cycles;
    const double waiting = utilization * service / (2.0 * (1.0 - utilization));
    const double requests = utilization + waiting / response_cycles;  // Little's law
    const double interference =                                       // equation (7) of LoPC
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
    require_quantity("work_cycles (W)", inputs.work_cycles);
    require_quantity("network_cycles (S_l)", inputs.network_cycles);
    require_quantity("handler_cycles (S_o)", inputs.handler_cycles);
    const double contention_free =
        inputs.work_cycles + 2.0 * inputs.network_cycles + 2.0 * inputs.handler_cycles;
    if (contention_free < kLopcShortestRoundTrip) {
        throw ModelError(
            "work_cycles (W), network_cycles (S_l) and handler_cycles (S_o): W + 2 S_l + 2 S_o "
            "is " +
            shortest_text(contention_free) +
            "; accepted: " + shortest_text(kLopcShortestRoundTrip) + " cycles or more");
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
                "Round trips of requests and replies, with every node an M/D/1 queue",
                "Kleinrock, Queueing Systems, Volume 1 (1975), Chapter 5") {
        input(WEIR_NAMED(in_, work_cycles), "W", "Work of a thread between two requests");
        input(WEIR_NAMED(in_, network_cycles), "S_l", "Network latency of a message, LogP's L");
        input(WEIR_NAMED(in_, handler_cycles), "S_o",
              "Time of a message handler, its interrupt included");
        flag(WEIR_NAMED(in_, protocol_processor),
             "true: a protocol processor in each node runs the handlers and never interrupts the "
             "thread");
        output(WEIR_NAMED(out_, response_cycles), "R",
               "Time of a round trip: work, request and reply");
        output(WEIR_NAMED(out_, contention_free_cycles), "",
               "Time of a round trip without contention (LogP)");
        output([this] { return out_.contention.total_cycles(); }, "contention_cycles", "C",
               "Time of a round trip that is contention");
        output(out_.contention.request_queueing_cycles, "waiting_cycles", "W_q",
               "Time that a request or a reply waits for request handlers at its destination",
               "Pollaczek-Khinchine");
        output(WEIR_NAMED(out_.contention, interference_cycles), "R_w - W",
               "Contention by request handlers that interrupt the thread", "LoPC (7)");
        output(WEIR_NAMED(out_, utilization), "rho",
               "Share of a processor's time that request handlers take");
        output(WEIR_NAMED(out_, requests_at_node), "",
               "Number of requests at a node, waiting or in service");
    }

  private:
    void evaluate() override {
        out_ = solve_md1_all_to_any(in_);
        note(
            "In this model requests do not wait for reply handlers; in LoPC they do "
            "(lopc-all-to-any).");
    }

    Md1Inputs in_;
    Md1Solution out_;
};

}  // namespace

std::unique_ptr<Model> md1_all_to_any_model() { return std::make_unique<Md1AllToAny>(); }

}  // namespace weir::experiments::models
