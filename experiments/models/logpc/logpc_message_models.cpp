#include <memory>

#include "experiments/models/logpc/loggp_long_message.h"
#include "experiments/models/logpc/logpc_long_message.h"
#include "experiments/models/logpc/logpc_model_groups.h"
#include "experiments/models/logpc/logpc_short_messages.h"
#include "experiments/models/lopc/lopc_all_to_any.h"

namespace weir::experiments::models {
namespace {

class LongMessageWithoutContention final : public Model {
  public:
    LongMessageWithoutContention()
        : Model("loggp-long-message", "One long message without contention, with its DMA pipeline",
                "LogGP (1995), LoGPC (2001), section 2.2") {}

    QuantityInput send_overhead_cycles{
        *this, "send_overhead_cycles", "o_sl",
        "The sender's processor until the launch, DMA set-up included"};
    QuantityInput latency_cycles{*this, "latency_cycles", "L",
                                 "The first byte's way through an idle network"};
    QuantityInput receive_overhead_cycles{*this, "receive_overhead_cycles", "o_rl",
                                          "Interrupt until the receiving DMA starts"};
    QuantityInput dma_setup_cycles{
        *this, "dma_setup_cycles",
        "",    "DMA set-up that the two overheads leave out; added to both",
        {},    0.0};
    QuantityInput gap_cycles_per_byte{*this, "gap_cycles_per_byte", "G",
                                      "Time the network takes for a byte", kGapLimits};
    QuantityInput memory_gap_cycles_per_byte{*this, "memory_gap_cycles_per_byte", "Gm",
                                             "Time the receiving DMA takes for a byte"};
    QuantityInput dma_slowdown{
        *this,      "dma_slowdown",
        "",         "Times Gm while the other DMA engine runs (Alewife: 1.45)",
        {1.0, 1e6}, 1.0};
    QuantityInput header_bytes{*this, "header_bytes", "a",
                               "Bytes that arrive before the interrupt"};
    QuantityInput input_queue_bytes{*this, "input_queue_bytes",
                                    "",    "Receiver's input queue; endless unless given",
                                    {},    kLargestQuantity};
    QuantityInput message_bytes{*this, "message_bytes", "B", "Length of the message",
                                kLengthLimits};
    ListInput table_message_bytes{
        *this,         "table_message_bytes",
        "B",           "Lengths of the table by_length",
        kLengthLimits, std::vector<double>{16, 64, 256, 512, 1024, 2048, 4096, 8192, 16384, 65536}};

    Output long_send_overhead_cycles{*this, "long_send_overhead_cycles", "o_sl",
                                     "All a non-blocking sender's processor pays", "Table 2"};
    Output long_receive_overhead_cycles{*this, "long_receive_overhead_cycles", "o_rl",
                                        "All the receiver's processor pays", "Table 2"};
    Output end_to_end_cycles{*this, "end_to_end_cycles", "T_s-r",
                             "Start of the send to the last byte in memory", "(2)"};
    Output network_limited_cycles{*this, "network_limited_cycles", "",
                                  "The same where the network is the limit", "(1)"};
    Output interrupt_limited_cycles{*this, "interrupt_limited_cycles", "",
                                    "The same where the interrupt is the limit", "Section 2.2"};
    Output sender_cycles{*this, "sender_cycles", "", "Start of the send to the last byte's leaving",
                         "Figure 4"};
    Output bandwidth_bytes_per_cycle{*this, "bandwidth_bytes_per_cycle", "",
                                     "Length by end_to_end_cycles", "Figure 5"};
    Output asymptotic_bytes_per_cycle{*this, "asymptotic_bytes_per_cycle", "1/G",
                                      "Bandwidth of ever longer messages", "(2)"};
    Output half_performance_bytes{*this, "half_performance_bytes", "",
                                  "Message with half that bandwidth", "(2)"};
    Output crossover_bytes{*this, "crossover_bytes", "", "From here on the network is the limit",
                           "(2)"};
    Output queued_bytes{*this, "queued_bytes", "",
                        "In the input queue when the receiving DMA starts", "Figure 3"};
    OutputTable by_length{*this,
                          "by_length",
                          "Times and bandwidth against the message's length",
                          {{"message_bytes", "B"},
                           {"end_to_end_cycles", "(2)"},
                           {"sender_cycles", "Start of the send to the last byte's leaving"},
                           {"bandwidth_bytes_per_cycle", "B by end_to_end_cycles"}},
                          "(2), Figures 4 and 5"};

  private:
    void evaluate() override {
        const LoggpMachine machine{
            .send_overhead_cycles = send_overhead_cycles.value() + dma_setup_cycles.value(),
            .latency_cycles = latency_cycles.value(),
            .receive_overhead_cycles = receive_overhead_cycles.value() + dma_setup_cycles.value(),
            .gap_cycles_per_byte = gap_cycles_per_byte.value(),
            .memory_gap_cycles_per_byte = memory_gap_cycles_per_byte.value() * dma_slowdown.value(),
            .header_bytes = header_bytes.value(),
        };
        const LoggpLongMessage message = solve_loggp_long_message(machine, message_bytes.value());
        const LoggpBandwidth bandwidth = loggp_bandwidth(machine);
        long_send_overhead_cycles = machine.send_overhead_cycles;
        long_receive_overhead_cycles = machine.receive_overhead_cycles;
        end_to_end_cycles = message.end_to_end_cycles;
        network_limited_cycles = message.network_limited_cycles;
        interrupt_limited_cycles = message.interrupt_limited_cycles;
        sender_cycles = message.sender_cycles;
        bandwidth_bytes_per_cycle = message.bytes_per_cycle;
        asymptotic_bytes_per_cycle = bandwidth.asymptotic_bytes_per_cycle;
        half_performance_bytes = bandwidth.half_performance_bytes;
        if (bandwidth.crossover_bytes) {
            crossover_bytes = *bandwidth.crossover_bytes;
        } else {
            note(
                "Memory takes a byte no faster than the network (Gm is not below G): no message is "
                "long enough for (1), and crossover_bytes has no value.");
        }
        const bool overflows = message.queued_bytes > input_queue_bytes.value();
        queued_bytes = overflows ? input_queue_bytes.value() : message.queued_bytes;
        if (overflows) {
            note(
                "The input queue fills before the receiving DMA starts. (2) leaves out that the "
                "network then waits: " +
                shortest_text(message.queued_bytes) + " bytes would have come.");
        }
        for (const double bytes : table_message_bytes.value()) {
            const LoggpLongMessage one = solve_loggp_long_message(machine, bytes);
            by_length.add_row(
                {bytes, one.end_to_end_cycles, one.sender_cycles, one.bytes_per_cycle});
        }
    }
};

class LongMessage final : public Model {
  public:
    LongMessage()
        : Model("logpc-long-message", "One long message among others in a k-ary n-cube",
                "LoGPC (2001), section 3.2") {}

    QuantityInput send_overhead_cycles{
        *this, "send_overhead_cycles", "o_sl",
        "The sender's processor until the launch, DMA set-up included"};
    QuantityInput latency_cycles{*this, "latency_cycles", "L",
                                 "The first byte's way through an idle network"};
    NetworkInputs network{*this};
    QuantityInput contention_free_intermessage_cycles{
        *this, "contention_free_intermessage_cycles", "T",
        "From a node's message to its next, were there no contention"};

    Output end_to_end_cycles{*this, "end_to_end_cycles", "T_s-r",
                             "Start of the send to the last byte's arrival", "(10)"};
    Output contention_free_cycles{*this, "contention_free_cycles", "",
                                  "The same in an idle network (LogGP)", "(1)"};
    Output network_contention_cycles{*this, "network_contention_cycles", "C_n",
                                     "A message's waiting on its way", "(7)"};
    Output latency_with_contention_cycles{*this, "latency_with_contention_cycles", "L'",
                                          "L with all of the waiting", "Section 3.2"};
    Output intermessage_cycles{*this, "intermessage_cycles", "T_c", "T with its contention", "(7)"};
    Output channel_utilization = channel_utilization_of(*this);
    OutputTable forms = forms_table(
        *this, {{"end_to_end_cycles", "(10)"}, {"network_contention_cycles", "C_n"}}, "(10)");

  private:
    [[nodiscard]] LogpcLongMessage message_in(const LogpcNetworkInputs& inputs) const {
        return solve_logpc_long_message(send_overhead_cycles.value(), latency_cycles.value(),
                                        network.channels.gap_cycles_per_byte.value(), inputs,
                                        contention_free_intermessage_cycles.value());
    }

    void evaluate() override {
        const LogpcLongMessage message = message_in(network.chosen());
        end_to_end_cycles = message.end_to_end_cycles;
        contention_free_cycles = message.contention_free_cycles;
        network_contention_cycles = message.network.contention_cycles;
        latency_with_contention_cycles = message.latency_cycles;
        intermessage_cycles = message.network.intermessage_cycles;
        channel_utilization = message.network.channel_utilization;
        fill_forms(forms, network, [&](const LogpcNetworkInputs& in_form) {
            const LogpcLongMessage one = message_in(in_form);
            return std::vector<double>{one.end_to_end_cycles, one.network.contention_cycles};
        });
    }
};

class ShortMessages final : public Model {
  public:
    ShortMessages()
        : Model("logpc-short-messages", "All-to-all remap with short messages",
                "LoGPC (2001), sections 3.1, 5.1.1 and 5.1.2, Table 4") {}

    ChoiceInput style{*this,
                      "style",
                      "Each waits for the reply to its request, or nobody waits",
                      {"synchronous", "asynchronous"}};
    QuantityInput latency_cycles{*this, "latency_cycles", "L",
                                 "End of a send to the interrupt, in an idle network"};
    QuantityInput send_overhead_cycles{*this, "send_overhead_cycles", "o_s",
                                       "The processor composes and launches"};
    QuantityInput receive_overhead_cycles{*this, "receive_overhead_cycles", "o_r",
                                          "The processor is interrupted and handles"};
    QuantityInput work_cycles{*this, "work_cycles", "W", "A thread's own work in each turn", {},
                              0.0};
    NetworkInputs network{*this};
    ChoiceInput contention{*this,
                           "contention",
                           "C_n from the network's equations, or from given_contention_cycles",
                           {"computed", "given"}};
    QuantityInput given_contention_cycles{
        *this, "given_contention_cycles", "C_n", "What a message waits, if given", {}, 0.0};

    Output iteration_cycles{*this, "iteration_cycles", "", "One turn of a node's loop",
                            "Table 4, LoGPC"};
    Output logp_iteration_cycles{*this, "logp_iteration_cycles", "", "The same without contention",
                                 "Table 4, LogP"};
    Output lopc_iteration_cycles{*this, "lopc_iteration_cycles", "",
                                 "The same with contention for processors only", "Table 4, LoPC"};
    Output message_cycles{*this, "message_cycles", "T_s-r",
                          "Start of a send to the end of its handler", "(8), (9)"};
    Output processor_contention_cycles{*this, "processor_contention_cycles", "C_r",
                                       "A turn's waiting for processors", "Section 5.1.1"};
    Output network_contention_cycles{*this, "network_contention_cycles", "C_n",
                                     "A message's waiting in the network", "(7), (9)"};
    Output computed_contention_cycles{*this, "computed_contention_cycles", "C_n",
                                      "C_n by the equations, also where another is given", "(7)"};
    Output channel_utilization = channel_utilization_of(*this);
    OutputTable forms = forms_table(
        *this, {{"iteration_cycles", "With C_n computed"}, {"computed_contention_cycles", "C_n"}},
        "(7)");

  private:
    [[nodiscard]] bool synchronous() const { return style.value() == "synchronous"; }
    [[nodiscard]] LogpInputs logp() const {
        return {.latency_cycles = latency_cycles.value(),
                .send_overhead_cycles = send_overhead_cycles.value(),
                .receive_overhead_cycles = receive_overhead_cycles.value()};
    }
    [[nodiscard]] LogpcShortMessages remap_in(const LogpcNetworkInputs& inputs) const {
        return synchronous() ? solve_logpc_synchronous(logp(), work_cycles.value(), inputs)
                             : solve_logpc_asynchronous(logp(), inputs, work_cycles.value());
    }

    void evaluate() override {
        const LogpcShortMessages remap = remap_in(network.chosen());
        const bool given = contention.value() == "given";
        if (!given) {
            refuse_if_given(given_contention_cycles, "contention is \"computed\"",
                            "with contention \"given\"");
        }
        const double waiting =
            given ? given_contention_cycles.value() : remap.network.contention_cycles;
        message_cycles = logpc_message_cycles(logp(), waiting);
        network_contention_cycles = waiting;
        computed_contention_cycles = remap.network.contention_cycles;
        channel_utilization = remap.network.channel_utilization;
        processor_contention_cycles = remap.processor_contention_cycles;
        if (synchronous()) {
            const double work = work_cycles.value();
            iteration_cycles = logpc_round_trip_cycles(logp(), work, waiting);
            logp_iteration_cycles = logp_round_trip_cycles(logp(), work);
            lopc_iteration_cycles = lopc_rule_of_thumb_round_trip_cycles(logp(), work);
        } else {
            iteration_cycles = remap.iteration_cycles;
            logp_iteration_cycles = remap.iteration_cycles;
            lopc_iteration_cycles = remap.iteration_cycles;
        }
        fill_forms(forms, network, [&](const LogpcNetworkInputs& in_form) {
            const LogpcShortMessages one = remap_in(in_form);
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
};

}  // namespace

void add_logpc_message_models(Models& models) {
    models.push_back(std::make_unique<LongMessageWithoutContention>());
    models.push_back(std::make_unique<LongMessage>());
    models.push_back(std::make_unique<ShortMessages>());
}

}  // namespace weir::experiments::models
