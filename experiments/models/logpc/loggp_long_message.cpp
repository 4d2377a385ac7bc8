#include "experiments/models/logpc/loggp_long_message.h"

#include <algorithm>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

constexpr double kSmallestGap = 1e-9;

/// Length-independent parts of (2), which is the longer of network + B G and interrupt + B Gm.
struct Startup {
    double network = 0.0;
    double interrupt = 0.0;
};

void check_network(const LoggpMachine& machine) {
    require_quantity("send_overhead_cycles (o_sl)", machine.send_overhead_cycles);
    require_quantity("latency_cycles (L)", machine.latency_cycles);
    require_quantity("gap_cycles_per_byte (G)", machine.gap_cycles_per_byte, kSmallestGap);
}

void check(const LoggpMachine& machine) {
    check_network(machine);
    require_quantity("receive_overhead_cycles (o_rl)", machine.receive_overhead_cycles);
    require_quantity("memory_gap_cycles_per_byte (Gm)", machine.memory_gap_cycles_per_byte);
    require_quantity("header_bytes (a)", machine.header_bytes);
}

void check_length(double message_bytes) {
    require_quantity("message_bytes (B)", message_bytes, 1.0);
}

Startup startup(const LoggpMachine& machine) {
    const double first_byte = machine.send_overhead_cycles + machine.latency_cycles;
    return {.network = first_byte - machine.gap_cycles_per_byte,
            .interrupt = first_byte + machine.header_bytes * machine.gap_cycles_per_byte +
                         machine.receive_overhead_cycles};
}

}  // namespace

double loggp_network_limited_cycles(double send_overhead_cycles, double latency_cycles,
                                    double gap_cycles_per_byte, double message_bytes) {
    check_network({.send_overhead_cycles = send_overhead_cycles,
                   .latency_cycles = latency_cycles,
                   .gap_cycles_per_byte = gap_cycles_per_byte});
    check_length(message_bytes);
    return send_overhead_cycles + latency_cycles + (message_bytes - 1.0) * gap_cycles_per_byte;
}

LoggpLongMessage solve_loggp_long_message(const LoggpMachine& machine, double message_bytes) {
    check(machine);
    check_length(message_bytes);
    const double network =
        loggp_network_limited_cycles(machine.send_overhead_cycles, machine.latency_cycles,
                                     machine.gap_cycles_per_byte, message_bytes);  // (1)
    const double interrupt =
        startup(machine).interrupt + message_bytes * machine.memory_gap_cycles_per_byte;
    const double end_to_end = std::max(network, interrupt);  // (2)
    if (end_to_end == 0.0) {
        throw ModelError(
            "send_overhead_cycles (o_sl), latency_cycles (L) and all other times are 0",
            "one or more of these times above 0");
    }
    return {
        .network_limited_cycles = network,
        .interrupt_limited_cycles = interrupt,
        .end_to_end_cycles = end_to_end,
        .sender_cycles =
            machine.send_overhead_cycles + (message_bytes - 1.0) * machine.gap_cycles_per_byte,
        .bytes_per_cycle = message_bytes / end_to_end,
        .queued_bytes =
            std::min(message_bytes, machine.header_bytes + machine.receive_overhead_cycles /
                                                               machine.gap_cycles_per_byte),
    };
}

LoggpBandwidth loggp_bandwidth(const LoggpMachine& machine) {
    check(machine);
    const double gap = machine.gap_cycles_per_byte;
    const double memory_gap = machine.memory_gap_cycles_per_byte;
    const double slower = std::max(gap, memory_gap);
    const Startup start = startup(machine);
    LoggpBandwidth bandwidth;
    bandwidth.asymptotic_bytes_per_cycle = 1.0 / slower;
    // Half of the bandwidth is reached when T = 2 B slower, a limit on both terms of (2).
    bandwidth.half_performance_bytes = std::max(start.interrupt / (2.0 * slower - memory_gap),
                                                start.network / (2.0 * slower - gap));
    if (memory_gap < gap) {
        bandwidth.crossover_bytes = (start.interrupt - start.network) / (gap - memory_gap);
    }
    return bandwidth;
}

namespace {

class LongMessageWithoutContention final : public Model {
  public:
    LongMessageWithoutContention()
        : Model("loggp-long-message", "One long message without contention, with its DMA pipeline",
                "LogGP (1995), LoGPC (2001), section 2.2") {
        input(WEIR_NAMED(in_, send_overhead_cycles), "o_sl",
              "Sender's processor time until the launch, DMA set-up included");
        input(WEIR_NAMED(in_, latency_cycles), "L", "Latency of the first byte in an idle network");
        input(WEIR_NAMED(in_, receive_overhead_cycles), "o_rl",
              "Time from the interrupt to the start of the receiving DMA");
        input(dma_setup_cycles_, "dma_setup_cycles", "",
              "DMA set-up time that o_sl and o_rl do not include; added to both");
        input(WEIR_NAMED(in_, gap_cycles_per_byte), "G", "Time per byte in the network",
              {kSmallestGap, kLargestQuantity});
        input(WEIR_NAMED(in_, memory_gap_cycles_per_byte), "Gm",
              "Time per byte of the receiving DMA");
        input(dma_slowdown_, "dma_slowdown", "",
              "Factor by which Gm grows while the node's other DMA engine runs (Alewife: 1.45)",
              {1.0, 1e6});
        input(WEIR_NAMED(in_, header_bytes), "a",
              "Header bytes, which arrive before the interrupt");
        input(input_queue_bytes_, "input_queue_bytes", "",
              "Size of the receiver's input queue; by default unlimited");
        input(message_bytes_, "message_bytes", "B", "Length of the message",
              {1.0, kLargestQuantity});
        input(table_bytes_, "table_message_bytes", "B", "Message lengths in the table by_length",
              {1.0, kLargestQuantity});

        output(machine_.send_overhead_cycles, "long_send_overhead_cycles", "o_sl",
               "Processor time of the sender, which does not wait for the message", "Table 2");
        output(machine_.receive_overhead_cycles, "long_receive_overhead_cycles", "o_rl",
               "Processor time of the receiver", "Table 2");
        output(WEIR_NAMED(out_, end_to_end_cycles), "T_s-r",
               "Time from the start of the send to the last byte in memory", "(2)");
        output(WEIR_NAMED(out_, network_limited_cycles), "",
               "End-to-end time of messages whose limit is the network", "(1)");
        output(WEIR_NAMED(out_, interrupt_limited_cycles), "",
               "End-to-end time of messages whose limit is the interrupt", "Section 2.2");
        output(WEIR_NAMED(out_, sender_cycles), "",
               "Time from the start of the send to the last byte's departure", "Figure 4");
        output(out_.bytes_per_cycle, "bandwidth_bytes_per_cycle", "",
               "Bandwidth: message length divided by end_to_end_cycles", "Figure 5");
        output(WEIR_NAMED(bandwidth_, asymptotic_bytes_per_cycle), "1/G",
               "Bandwidth for unlimited message length", "(2)");
        output(WEIR_NAMED(bandwidth_, half_performance_bytes), "",
               "Message length with half of asymptotic_bytes_per_cycle", "(2)");
        output(WEIR_NAMED(bandwidth_, crossover_bytes), "",
               "Shortest message whose limit is the network", "(2)");
        output([this] { return std::min(out_.queued_bytes, input_queue_bytes_); }, "queued_bytes",
               "", "Number of bytes in the input queue when the receiving DMA starts", "Figure 3");
    }

  private:
    void evaluate() override {
        machine_ = in_;
        machine_.send_overhead_cycles += dma_setup_cycles_;
        machine_.receive_overhead_cycles += dma_setup_cycles_;
        machine_.memory_gap_cycles_per_byte *= dma_slowdown_;
        out_ = solve_loggp_long_message(machine_, message_bytes_);
        bandwidth_ = loggp_bandwidth(machine_);
        if (!bandwidth_.crossover_bytes) {
            note(
                "Memory is no faster than the network (Gm is not below G). Equation (1) holds "
                "for no message, and crossover_bytes has no value.");
        }
        if (out_.queued_bytes > input_queue_bytes_) {
            note(
                "The input queue fills before the receiving DMA starts; with an unlimited queue, " +
                shortest_text(out_.queued_bytes) +
                " bytes would have arrived. Equation (2) leaves out that the network then waits.");
        }
        for (const double bytes : table_bytes_) {
            const LoggpLongMessage one = solve_loggp_long_message(machine_, bytes);
            by_length_.add_numbers(bytes, one.end_to_end_cycles, one.sender_cycles,
                                   one.bytes_per_cycle);
        }
    }

    LoggpMachine in_;
    double dma_setup_cycles_ = 0.0;
    double dma_slowdown_ = 1.0;
    double input_queue_bytes_ = kLargestQuantity;
    double message_bytes_ = kNotGiven;
    std::vector<double> table_bytes_{16, 64, 256, 512, 1024, 2048, 4096, 8192, 16384, 65536};
    LoggpMachine machine_;  ///< the inputs, with the DMA's set-up and slowdown applied
    LoggpLongMessage out_;
    LoggpBandwidth bandwidth_;
    OutputTable by_length_{
        *this,
        "by_length",
        "Times and bandwidth by message length",
        {{"message_bytes", "B"},
         {"end_to_end_cycles", "(2)"},
         {"sender_cycles", "Time from the start of the send to the last byte's departure"},
         {"bandwidth_bytes_per_cycle", "message length B divided by end_to_end_cycles"}},
        "(2), Figures 4 and 5"};
};

}  // namespace

std::unique_ptr<Model> loggp_long_message_model() {
    return std::make_unique<LongMessageWithoutContention>();
}

}  // namespace weir::experiments::models
