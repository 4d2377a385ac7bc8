#include "experiments/models/logpc/loggp_long_message.h"

#include <algorithm>

#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

constexpr double kSmallestGap = 1e-9;

/// The times without a message's length: (2) is the longer of network + B G and interrupt + B Gm.
struct Startup {
    double network = 0.0;
    double interrupt = 0.0;
};

void check_network(const LoggpMachine& machine) {
    require_quantity("send_overhead_cycles (o_sl)", machine.send_overhead_cycles, 0.0, "cycles");
    require_quantity("latency_cycles (L)", machine.latency_cycles, 0.0, "cycles");
    require_quantity("gap_cycles_per_byte (G)", machine.gap_cycles_per_byte, kSmallestGap,
                     "cycles per byte");
}

void check(const LoggpMachine& machine) {
    check_network(machine);
    require_quantity("receive_overhead_cycles (o_rl)", machine.receive_overhead_cycles, 0.0,
                     "cycles");
    require_quantity("memory_gap_cycles_per_byte (Gm)", machine.memory_gap_cycles_per_byte, 0.0,
                     "cycles per byte");
    require_quantity("header_bytes (a)", machine.header_bytes, 0.0, "bytes");
}

void check_length(double message_bytes) {
    require_quantity("message_bytes (B)", message_bytes, 1.0, "bytes");
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
            "send_overhead_cycles (o_sl), latency_cycles (L) and all else that takes time are 0",
            "a message that takes some time");
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
    // Half of it is reached when T = 2 B slower, which both terms of (2) must allow.
    bandwidth.half_performance_bytes = std::max(start.interrupt / (2.0 * slower - memory_gap),
                                                start.network / (2.0 * slower - gap));
    if (memory_gap < gap) {
        bandwidth.crossover_bytes = (start.interrupt - start.network) / (gap - memory_gap);
    }
    return bandwidth;
}

double loggp_memory_gap_for_crossover(const LoggpMachine& machine, double crossover_bytes) {
    LoggpMachine any_memory = machine;
    any_memory.memory_gap_cycles_per_byte = 0.0;
    check(any_memory);
    check_length(crossover_bytes);
    const Startup start = startup(any_memory);
    const double gap =
        machine.gap_cycles_per_byte - (start.interrupt - start.network) / crossover_bytes;
    if (gap < 0.0) {
        throw ModelError("crossover_bytes is " + shortest_text(crossover_bytes),
                         "from " +
                             shortest_text(loggp_bandwidth(any_memory).crossover_bytes.value()) +
                             " bytes, where memory takes no time");
    }
    return gap;
}

}  // namespace weir::experiments::models
