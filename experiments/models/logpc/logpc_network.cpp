#include "experiments/models/logpc/logpc_network.h"

#include <cmath>
#include <string>

#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

void check(const LogpcNetworkInputs& inputs) {
    require_count("dimensions (n)", inputs.dimensions, 1, "dimensions");
    require_quantity("mean_distance_per_dimension (k_d)", inputs.mean_distance_per_dimension, 1.0,
                     "hops (below 1 the LoGPC network model does not apply)");
    require_quantity("message_bytes (B)", inputs.message_bytes, 1.0, "bytes");
    require_quantity("channel_cycles_per_byte", inputs.channel_cycles_per_byte, 1e-9,
                     "cycles per byte");
    if (inputs.channels_per_dimension != 1 && inputs.channels_per_dimension != 2) {
        throw ModelError(
            "channels_per_dimension is " + std::to_string(inputs.channels_per_dimension),
            "1 (unidirectional) or 2 (bidirectional)");
    }
}

/// Cycles for which a message holds each channel on its way: the B of (3) to (7).
double message_channel_cycles(const LogpcNetworkInputs& inputs) {
    return inputs.message_bytes * inputs.channel_cycles_per_byte;
}

/// Cycles a message takes of each channel's time on its way, by (4): rho is this by the
/// intermessage time.
double channel_cycles(const LogpcNetworkInputs& inputs) {
    return message_channel_cycles(inputs) * inputs.mean_distance_per_dimension /
           inputs.channels_per_dimension;
}

/// The numerator of C_n in (9) without its m, in square cycles: C_n = this / (1/m -
/// channel_cycles). By (3), (4) and (6) it is B (n + 1) (k_d - 1)/k_d times channel_cycles.
double waiting_square_cycles(const LogpcNetworkInputs& inputs) {
    const double held = message_channel_cycles(inputs);
    return (inputs.dimensions + 1.0) * (inputs.mean_distance_per_dimension - 1.0) * held * held /
           inputs.channels_per_dimension;
}

double total_hops(const LogpcNetworkInputs& inputs) {
    return inputs.dimensions * inputs.mean_distance_per_dimension;
}

}  // namespace

LogpcNetworkSolution solve_logpc_network(const LogpcNetworkInputs& inputs,
                                         double contention_free_intermessage_cycles,
                                         double waits_per_message) {
    check(inputs);
    const double intermessage = contention_free_intermessage_cycles;
    require_quantity("contention_free_intermessage_cycles (T)", intermessage, 0.0, "cycles");
    require_quantity("waits_per_message", waits_per_message, 1.0, "times C_n");

    const double waiting = waiting_square_cycles(inputs);
    const double slack = intermessage - channel_cycles(inputs);
    if (waiting == 0.0 && slack <= 0.0) {
        throw ModelError(
            "contention_free_intermessage_cycles (T) is " + shortest_text(intermessage),
            "more than " + shortest_text(channel_cycles(inputs)) +
                " cycles with k_d = 1, where channels saturate");
    }
    // (6) in (7) is C_n (s C_n + slack) = waiting, s being waits_per_message. Of the two forms of
    // its positive root, the one that doesn't cancel.
    const double root = std::sqrt(slack * slack + 4.0 * waits_per_message * waiting);
    const double contention =
        slack > 0.0 ? 2.0 * waiting / (slack + root) : (root - slack) / (2.0 * waits_per_message);
    const double intermessage_with_contention = intermessage + waits_per_message * contention;
    return {
        .contention_cycles = contention,
        .contention_per_hop_cycles = contention / total_hops(inputs),       // (6)
        .messages_per_cycle_per_node = 1.0 / intermessage_with_contention,  // (7)
        .intermessage_cycles = intermessage_with_contention,
        .channel_utilization = channel_cycles(inputs) / intermessage_with_contention,  // (4)
    };
}

AgarwalNetworkSolution solve_agarwal_network(const LogpcNetworkInputs& inputs,
                                             double messages_per_cycle_per_node) {
    check(inputs);
    const double rate = messages_per_cycle_per_node;
    require_quantity("messages_per_cycle_per_node (m)", rate, 0.0, "messages per cycle");
    const double utilization = rate * channel_cycles(inputs);  // (4)
    if (utilization >= 1.0) {
        throw ModelError("messages_per_cycle_per_node (m) is " + shortest_text(rate),
                         "below " + shortest_text(1.0 / channel_cycles(inputs)) +
                             " messages per cycle, where channels saturate");
    }
    const double contention = rate * waiting_square_cycles(inputs) / (1.0 - utilization);
    return {
        .contention_cycles = contention,                               // (5), (6)
        .contention_per_hop_cycles = contention / total_hops(inputs),  // (6)
        .channel_utilization = utilization,
    };
}

double logpc_open_contention_cycles(const LogpcNetworkInputs& inputs,
                                    double messages_per_cycle_per_node) {
    return solve_agarwal_network(inputs, messages_per_cycle_per_node).contention_cycles;
}

double logpc_saturation_rate(const LogpcNetworkInputs& inputs) {
    check(inputs);
    return 1.0 / channel_cycles(inputs);
}

LogpcMaximalInjection max_injection_inflation(LogpcNetworkInputs network,
                                              double gap_cycles_per_byte) {
    require_quantity("gap_cycles_per_byte (G)", gap_cycles_per_byte, 1e-9, "cycles per byte");
    // B cancels from (13), so that F is what one byte gives.
    network.message_bytes = 1.0;
    const double contention_free = 2.0 * gap_cycles_per_byte;
    const double cycles_per_byte =
        solve_logpc_network(network, contention_free).intermessage_cycles;  // (13)
    return {.cycles_per_byte = cycles_per_byte,
            .inflation = cycles_per_byte / contention_free};  // (14)
}

LogpcMaximalInjection max_injection_inflation(int dimensions, double mean_distance_per_dimension,
                                              double gap_cycles_per_byte) {
    return max_injection_inflation(
        {.dimensions = dimensions, .mean_distance_per_dimension = mean_distance_per_dimension},
        gap_cycles_per_byte);
}

}  // namespace weir::experiments::models
