#include "experiments/models/logpc/logpc_long_message.h"

#include "experiments/models/logpc/loggp_long_message.h"
#include "experiments/models/logpc/logpc_network_inputs.h"

namespace weir::experiments::models {

LogpcLongMessage solve_logpc_long_message(double send_overhead_cycles, double latency_cycles,
                                          double gap_cycles_per_byte,
                                          const LogpcNetworkInputs& network,
                                          double contention_free_intermessage_cycles) {
    const double contention_free = loggp_network_limited_cycles(
        send_overhead_cycles, latency_cycles, gap_cycles_per_byte, network.message_bytes);  // (1)
    const LogpcNetworkSolution solution =
        solve_logpc_network(network, contention_free_intermessage_cycles);
    return {
        .contention_free_cycles = contention_free,
        .end_to_end_cycles = contention_free + solution.contention_cycles,  // (10)
        .latency_cycles = latency_cycles + solution.contention_cycles,
        .network = solution,
    };
}

LogpcRemap solve_logpc_long_remap(const LogpcRemapInputs& inputs) {
    require_quantity("send_overhead_cycles (o_s)", inputs.send_overhead_cycles);
    require_quantity("header_bytes (a)", inputs.header_bytes);
    const LogpcMaximalInjection bound =
        max_injection_inflation(inputs.network, inputs.gap_cycles_per_byte);
    const double bytes = inputs.network.message_bytes;
    require_quantity("message_bytes (B)", bytes, 1.0 + inputs.header_bytes,
                     "bytes (a header and a byte at least)");
    const double gap = inputs.gap_cycles_per_byte;
    const double exact = inputs.send_overhead_cycles + (bytes - 1.0) * gap +
                         (bytes - 1.0 - inputs.header_bytes) * gap;
    const double contention_free = 2.0 * bytes * gap;
    return {
        .exact_iteration_cycles = exact,
        .contention_free_iteration_cycles = contention_free,
        .bound = bound,
        .network = solve_logpc_network(inputs.network, contention_free),
        .exact_network = solve_logpc_network(inputs.network, exact),
    };
}

namespace {

class LongMessage final : public Model {
  public:
    LongMessage()
        : Model("logpc-long-message", "One long message among others in a k-ary n-cube",
                "LoGPC (2001), section 3.2") {
        input(send_overhead_cycles_, "send_overhead_cycles", "o_sl",
              "Sender's processor time until the launch, DMA set-up included");
        input(latency_cycles_, "latency_cycles", "L",
              "Latency of the first byte in an idle network");
        network_.declare(*this);
        input(intermessage_cycles_, "contention_free_intermessage_cycles", "T",
              "Time from a node's message to its next, without contention");
        output(WEIR_NAMED(out_, end_to_end_cycles), "T_s-r",
               "Time from the start of the send to the last byte's arrival", "(10)");
        output(WEIR_NAMED(out_, contention_free_cycles), "",
               "End-to-end time in an idle network (LogGP)", "(1)");
        output(out_.network.contention_cycles, "network_contention_cycles", "C_n",
               "Time that a message waits in the network", "(7)");
        output(out_.latency_cycles, "latency_with_contention_cycles", "L'",
               "Latency with contention: L + C_n", "Section 3.2");
        output(WEIR_NAMED(out_.network, intermessage_cycles), "T_c",
               "Time from a node's message to its next, with contention", "(7)");
        declare_channel_utilization(*this, out_.network.channel_utilization);
    }

  private:
    void evaluate() override {
        const auto message_in = [&](const LogpcNetworkInputs& inputs) {
            return solve_logpc_long_message(send_overhead_cycles_, latency_cycles_,
                                            network_.channels.gap_cycles_per_byte, inputs,
                                            intermessage_cycles_);
        };
        out_ = message_in(network_.chosen());
        fill_forms(forms_, network_, [&](const LogpcNetworkInputs& inputs) {
            const LogpcLongMessage one = message_in(inputs);
            return std::vector<double>{one.end_to_end_cycles, one.network.contention_cycles};
        });
    }

    double send_overhead_cycles_ = kNotGiven;
    double latency_cycles_ = kNotGiven;
    NetworkInputs network_;
    double intermessage_cycles_ = kNotGiven;
    LogpcLongMessage out_;
    OutputTable forms_ = forms_table(
        *this, {{"end_to_end_cycles", "(10)"}, {"network_contention_cycles", "C_n"}}, "(10)");
};

class LongRemap final : public Model {
  public:
    LongRemap()
        : Model("logpc-long-remap",
                "All-to-all remap with long messages, an upper bound on contention",
                "LoGPC (2001), sections 3.4 and 5.1.3") {
        input(WEIR_NAMED(in_, send_overhead_cycles), "o_s",
              "Processor time until the launch, DMA set-up included");
        input(WEIR_NAMED(in_, header_bytes), "a",
              "Header bytes, which arrive before the receiving DMA starts");
        network_.declare(*this);
        output(WEIR_NAMED(out_.network, intermessage_cycles), "T_c",
               "Time from a node's message to its next: F B", "(13)");
        output(WEIR_NAMED(out_.bound, cycles_per_byte), "F", "Time per byte: T_c divided by B",
               "(13)");
        output(WEIR_NAMED(out_.bound, inflation), "T_c/T",
               "T_c divided by T: upper bound on the slowdown by contention", "(14)");
        output([this] { return 1.0 - 1.0 / out_.bound.inflation; }, "contention_share", "",
               "Share of T_c that is contention", "(14)");
        output(out_.contention_free_iteration_cycles, "contention_free_intermessage_cycles", "T",
               "Time from a message to the next without contention: 2 G B", "Section 5.1.3");
        output(out_.exact_iteration_cycles, "exact_contention_free_cycles", "",
               "Exact T: o_s + (B-1)G + (B-1-a)G", "Section 5.1.3");
        output(out_.exact_network.intermessage_cycles, "exact_intermessage_cycles", "",
               "T_c computed from the exact T", "(7)");
        output(out_.network.contention_cycles, "network_contention_cycles", "C_n",
               "Time that a message waits in the network", "(7)");
        declare_channel_utilization(*this, out_.network.channel_utilization);
    }

  private:
    [[nodiscard]] LogpcRemap remap_in(const LogpcNetworkInputs& network) const {
        LogpcRemapInputs inputs = in_;
        inputs.gap_cycles_per_byte = network_.channels.gap_cycles_per_byte;
        inputs.network = network;
        return solve_logpc_long_remap(inputs);
    }

    void evaluate() override {
        out_ = remap_in(network_.chosen());
        fill_forms(forms_, network_, [&](const LogpcNetworkInputs& inputs) {
            const LogpcRemap one = remap_in(inputs);
            return std::vector<double>{one.bound.cycles_per_byte, one.bound.inflation,
                                       one.network.intermessage_cycles};
        });
        note(
            "The paper's 2.22 B cycles need k_d = 2: 4 hops on 4 x 8, where no node sends to "
            "itself. The 3.875 hops of (11) give 2.17 B; channels held for G B cycles give 1.41 "
            "B.");
    }

    LogpcRemapInputs in_;
    NetworkInputs network_;
    LogpcRemap out_;
    OutputTable forms_ = forms_table(
        *this, {{"cycles_per_byte", "F"}, {"inflation", "T_c/T"}, {"intermessage_cycles", "T_c"}},
        "(13), (14)");
};

}  // namespace

std::unique_ptr<Model> logpc_long_message_model() { return std::make_unique<LongMessage>(); }

std::unique_ptr<Model> logpc_long_remap_model() { return std::make_unique<LongRemap>(); }

}  // namespace weir::experiments::models
