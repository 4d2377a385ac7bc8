#include "experiments/models/logpc/logpc_short_messages.h"

#include "experiments/models/logpc/logpc_network_inputs.h"
#include "experiments/models/lopc/lopc_all_to_any.h"

namespace weir::experiments::models {
namespace {

constexpr double kMessagesPerTurn = 2.0;  // the node's own request, and a reply for another node

}  // namespace

double logpc_message_cycles(const LogpInputs& inputs, double network_contention_cycles) {
    require_quantity("network_contention_cycles (C_n)", network_contention_cycles, 0.0, "cycles");
    return logp_message_cycles(inputs) + network_contention_cycles;  // (8)
}

double logpc_round_trip_cycles(const LogpInputs& inputs, double work_cycles,
                               double network_contention_cycles) {
    require_quantity("work_cycles (W)", work_cycles, 0.0, "cycles");
    return work_cycles + 2.0 * logpc_message_cycles(inputs, network_contention_cycles) +
           lopc_rule_of_thumb_contention_cycles(inputs);
}

LogpcShortMessages solve_logpc_synchronous(const LogpInputs& inputs, double work_cycles,
                                           const LogpcNetworkInputs& network) {
    const LogpcNetworkSolution solution = solve_logpc_network(
        network, logp_round_trip_cycles(inputs, work_cycles) / kMessagesPerTurn);
    return {
        .iteration_cycles =
            logpc_round_trip_cycles(inputs, work_cycles, solution.contention_cycles),
        .processor_contention_cycles = lopc_rule_of_thumb_contention_cycles(inputs),
        .network = solution,
    };
}

LogpcShortMessages solve_logpc_asynchronous(const LogpInputs& inputs,
                                            const LogpcNetworkInputs& network, double work_cycles) {
    require_quantity("work_cycles (W)", work_cycles, 0.0, "cycles");
    const double iteration = work_cycles + logp_asynchronous_iteration_cycles(inputs);
    return {
        .iteration_cycles = iteration,
        .processor_contention_cycles = 0.0,
        .network = solve_logpc_network(network, iteration),
    };
}

namespace {

class ShortMessages final : public Model {
  public:
    ShortMessages()
        : Model("logpc-short-messages", "All-to-all remap with short messages",
                "LoGPC (2001), sections 3.1, 5.1.1 and 5.1.2, Table 4") {
        choice(asynchronous_, "style", "Each waits for the reply to its request, or nobody waits",
               {"synchronous", "asynchronous"});
        input(WEIR_NAMED(in_, latency_cycles), "L",
              "End of a send to the interrupt, in an idle network");
        input(WEIR_NAMED(in_, send_overhead_cycles), "o_s", "The processor composes and launches");
        input(WEIR_NAMED(in_, receive_overhead_cycles), "o_r",
              "The processor is interrupted and handles");
        input(work_cycles_, "work_cycles", "W", "A thread's own work in each turn");
        network_.declare(*this);
        choice(contention_given_, "contention",
               "C_n from the network's equations, or from given_contention_cycles",
               {"computed", "given"});
        input(given_contention_cycles_, "given_contention_cycles", "C_n",
              "What a message waits, if given");

        output([this] { return turn_or(logpc_round_trip_cycles(in_, work_cycles_, waiting())); },
               "iteration_cycles", "", "One turn of a node's loop", "Table 4, LoGPC");
        output([this] { return turn_or(logp_round_trip_cycles(in_, work_cycles_)); },
               "logp_iteration_cycles", "", "The same without contention", "Table 4, LogP");
        output([this] { return turn_or(lopc_rule_of_thumb_round_trip_cycles(in_, work_cycles_)); },
               "lopc_iteration_cycles", "", "The same with contention for processors only",
               "Table 4, LoPC");
        output([this] { return logpc_message_cycles(in_, waiting()); }, "message_cycles", "T_s-r",
               "Start of a send to the end of its handler", "(8), (9)");
        output(WEIR_NAMED(out_, processor_contention_cycles), "C_r",
               "A turn's waiting for processors", "Section 5.1.1");
        output([this] { return waiting(); }, "network_contention_cycles", "C_n",
               "A message's waiting in the network", "(7), (9)");
        output(out_.network.contention_cycles, "computed_contention_cycles", "C_n",
               "C_n by the equations, also where another is given", "(7)");
        declare_channel_utilization(*this, out_.network.channel_utilization);
    }

  private:
    [[nodiscard]] double waiting() const {
        return contention_given_ ? given_contention_cycles_ : out_.network.contention_cycles;
    }
    /// A turn of requests and replies; without replies no contention makes it longer.
    [[nodiscard]] double turn_or(double synchronous_cycles) const {
        return asynchronous_ ? out_.iteration_cycles : synchronous_cycles;
    }
    [[nodiscard]] LogpcShortMessages remap_in(const LogpcNetworkInputs& inputs) const {
        return asynchronous_ ? solve_logpc_asynchronous(in_, inputs, work_cycles_)
                             : solve_logpc_synchronous(in_, work_cycles_, inputs);
    }

    void evaluate() override {
        out_ = remap_in(network_.chosen());
        if (!contention_given_) {
            refuse_if_given("given_contention_cycles", "contention is \"computed\"",
                            "with contention \"given\"");
        }
        fill_forms(forms_, network_, [&](const LogpcNetworkInputs& inputs) {
            const LogpcShortMessages one = remap_in(inputs);
            return std::vector<double>{one.iteration_cycles, one.network.contention_cycles};
        });
        note(
            "Table 4 prints C_n of 23 (synchronous) and 31 (asynchronous) cycles but not the bytes "
            "of a message. As printed, 47.1 and 51.1 bytes give them, and without the feedback of "
            "(7) 43.5 and 45.3; no one length gives both.");
        note(
            "Two arguments behind a header of 8 bytes make 16 bytes, whose C_n is below 4 cycles "
            "in Table 4's remaps; the 499 cycles of Table 4 need contention = given with 23.");
    }

    bool asynchronous_ = false;
    LogpInputs in_;
    double work_cycles_ = 0.0;
    NetworkInputs network_;
    bool contention_given_ = false;
    double given_contention_cycles_ = 0.0;
    LogpcShortMessages out_;
    OutputTable forms_ = forms_table(
        *this, {{"iteration_cycles", "With C_n computed"}, {"computed_contention_cycles", "C_n"}},
        "(7)");
};

}  // namespace

std::unique_ptr<Model> logpc_short_messages_model() { return std::make_unique<ShortMessages>(); }

}  // namespace weir::experiments::models
