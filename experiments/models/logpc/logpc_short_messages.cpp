#include "experiments/models/logpc/logpc_short_messages.h"

#include "experiments/models/logpc/logpc_network_inputs.h"
#include "experiments/models/lopc/lopc_all_to_any.h"

namespace weir::experiments::models {
namespace {

// Messages of a node per round trip: its own request, and its reply to another node.
constexpr double kMessagesPerTurn = 2.0;

}  // namespace

double logpc_message_cycles(const LogpInputs& inputs, double network_contention_cycles) {
    require_quantity("network_contention_cycles (C_n)", network_contention_cycles);
    return logp_message_cycles(inputs) + network_contention_cycles;  // (8)
}

double logpc_round_trip_cycles(const LogpInputs& inputs, double work_cycles,
                               double network_contention_cycles) {
    require_quantity("work_cycles (W)", work_cycles);
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
    require_quantity("work_cycles (W)", work_cycles);
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
        choice(asynchronous_, "style",
               "synchronous waits for the reply to each request; asynchronous never waits",
               {"synchronous", "asynchronous"});
        input(WEIR_NAMED(in_, latency_cycles), "L",
              "Time from the end of a send to the interrupt, in an idle network");
        input(WEIR_NAMED(in_, send_overhead_cycles), "o_s",
              "Processor time to compose and launch a message");
        input(WEIR_NAMED(in_, receive_overhead_cycles), "o_r",
              "Processor time for the interrupt and handler of a message");
        input(work_cycles_, "work_cycles", "W", "Work of a thread in each iteration");
        network_.declare(*this);
        choice(contention_given_, "contention",
               "Source of C_n: the network's equations, or given_contention_cycles",
               {"computed", "given"});
        input(given_contention_cycles_, "given_contention_cycles", "C_n",
              "Time that a message waits in the network, for contention = given");

        output([this] { return turn_or(logpc_round_trip_cycles(in_, work_cycles_, waiting())); },
               "iteration_cycles", "",
               "Iteration time with contention in network and processors (LoGPC)",
               "Table 4, LoGPC");
        output([this] { return turn_or(logp_round_trip_cycles(in_, work_cycles_)); },
               "logp_iteration_cycles", "", "Iteration time without contention (LogP)",
               "Table 4, LogP");
        output([this] { return turn_or(lopc_rule_of_thumb_round_trip_cycles(in_, work_cycles_)); },
               "lopc_iteration_cycles", "",
               "Iteration time with contention for processors only (LoPC)", "Table 4, LoPC");
        output([this] { return logpc_message_cycles(in_, waiting()); }, "message_cycles", "T_s-r",
               "Time from the start of a send to the end of its handler", "(8), (9)");
        output(WEIR_NAMED(out_, processor_contention_cycles), "C_r",
               "Time of an iteration spent waiting for processors", "Section 5.1.1");
        output([this] { return waiting(); }, "network_contention_cycles", "C_n",
               "Time that a message waits in the network: computed or given C_n", "(7), (9)");
        output(out_.network.contention_cycles, "computed_contention_cycles", "C_n",
               "Time that a message waits in the network by the equations, even if another C_n is "
               "given",
               "(7)");
        declare_channel_utilization(*this, out_.network.channel_utilization);
    }

  private:
    [[nodiscard]] double waiting() const {
        return contention_given_ ? given_contention_cycles_ : out_.network.contention_cycles;
    }
    /// Round trip of requests and replies; without replies, the iteration without contention.
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
            "Table 4 prints C_n of 23 (synchronous) and 31 (asynchronous) cycles, but no message "
            "length. The equations as printed give these for 47.1 and 51.1 bytes; without the "
            "feedback of (7) for 43.5 and 45.3. No single length gives both.");
        note(
            "Two arguments and a header of 8 bytes make 16 bytes; their C_n is below 4 cycles in "
            "Table 4's remaps. The 499 cycles of Table 4 need contention = given with 23.");
    }

    bool asynchronous_ = false;
    LogpInputs in_;
    double work_cycles_ = 0.0;
    NetworkInputs network_;
    bool contention_given_ = false;
    double given_contention_cycles_ = 0.0;
    LogpcShortMessages out_;
    OutputTable forms_ = forms_table(*this,
                                     {{"iteration_cycles", "Iteration time with C_n computed"},
                                      {"computed_contention_cycles", "C_n"}},
                                     "(7)");
};

}  // namespace

std::unique_ptr<Model> logpc_short_messages_model() { return std::make_unique<ShortMessages>(); }

}  // namespace weir::experiments::models
