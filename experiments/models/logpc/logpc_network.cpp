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
}

/// Cycles a message takes of each channel's time on its way, by (4): rho is this by the
/// intermessage time.
double channel_cycles(const LogpcNetworkInputs& inputs) {
    return inputs.message_bytes * inputs.mean_distance_per_dimension / 2.0;
}

/// The numerator of C_n in (9) without its m, in square cycles: C_n = this / (1/m -
/// channel_cycles).
double waiting_square_cycles(const LogpcNetworkInputs& inputs) {
    return (inputs.dimensions + 1.0) * (inputs.mean_distance_per_dimension - 1.0) *
           inputs.message_bytes * inputs.message_bytes / 2.0;
}

}  // namespace

LogpcNetworkSolution solve_logpc_network(const LogpcNetworkInputs& inputs,
                                         double contention_free_intermessage_cycles) {
    check(inputs);
    const double intermessage = contention_free_intermessage_cycles;
    require_quantity("contention_free_intermessage_cycles (T)", intermessage, 0.0, "cycles");

    const double waiting = waiting_square_cycles(inputs);
    const double slack = intermessage - channel_cycles(inputs);
    if (waiting == 0.0 && slack <= 0.0) {
        throw ModelError(
            "contention_free_intermessage_cycles (T) is " + shortest_text(intermessage) +
            "; accepted with k_d = 1: more than B k_d / 2 = " +
            shortest_text(channel_cycles(inputs)) + " cycles, where channels saturate");
    }
    // (6) in (7) is C_n (C_n + slack) = waiting. Of the two forms of its positive root, the one
    // that doesn't cancel.
    const double root = std::sqrt(slack * slack + 4.0 * waiting);
    const double contention = slack > 0.0 ? 2.0 * waiting / (slack + root) : (root - slack) / 2.0;
    const double intermessage_with_contention = intermessage + contention;  // (7)
    return {
        .contention_cycles = contention,
        .contention_per_hop_cycles =
            contention / (inputs.dimensions * inputs.mean_distance_per_dimension),  // (6)
        .messages_per_cycle_per_node = 1.0 / intermessage_with_contention,
        .intermessage_cycles = intermessage_with_contention,
        .channel_utilization = channel_cycles(inputs) / intermessage_with_contention,  // (4)
    };
}

double logpc_open_contention_cycles(const LogpcNetworkInputs& inputs,
                                    double messages_per_cycle_per_node) {
    check(inputs);
    const double rate = messages_per_cycle_per_node;
    require_quantity("messages_per_cycle_per_node (m)", rate, 0.0, "messages per cycle");
    const double utilization = rate * channel_cycles(inputs);  // (4)
    if (utilization >= 1.0) {
        throw ModelError(
            "messages_per_cycle_per_node (m) is " + shortest_text(rate) +
            "; accepted: below 2/(B k_d) = " + shortest_text(1.0 / channel_cycles(inputs)) +
            " messages per cycle, where channels saturate");
    }
    return rate * waiting_square_cycles(inputs) / (1.0 - utilization);  // (5), (6)
}

LogpcMaximalInjection max_injection_inflation(int dimensions, double mean_distance_per_dimension,
                                              double gap_cycles_per_byte) {
    require_quantity("gap_cycles_per_byte (G)", gap_cycles_per_byte, 1e-9, "cycles per byte");
    // B cancels from (13), so that F is what one byte gives.
    const double contention_free = 2.0 * gap_cycles_per_byte;
    const LogpcNetworkSolution network =
        solve_logpc_network({.dimensions = dimensions,
                             .mean_distance_per_dimension = mean_distance_per_dimension,
                             .message_bytes = 1.0},
                            contention_free);
    return {.cycles_per_byte = network.intermessage_cycles,
            .inflation = network.intermessage_cycles / contention_free};  // (14)
}

double mesh_mean_hops(std::span<const int> extents) {
    if (extents.empty()) {
        throw ModelError("extents of the mesh are not given; accepted: one or more");
    }
    double hops = 0.0;
    for (const double extent : extents) {
        require_quantity("extent of the mesh (k)", extent, 1.0, "nodes");
        hops += (extent - 1.0 / extent) / 3.0;  // (11)
    }
    return hops;
}

double mesh_mean_hops_to_others(std::span<const int> extents) {
    const double hops = mesh_mean_hops(extents);
    double nodes = 1.0;
    for (const double extent : extents) {
        nodes *= extent;
    }
    if (nodes < 2.0) {
        throw ModelError("extents of the mesh make one node; accepted: two nodes or more");
    }
    // Of the pairs of nodes, one in every `nodes` is a node with itself, at no distance.
    return hops * nodes / (nodes - 1.0);
}

double mesh_mean_distance_per_dimension(std::span<const int> extents) {
    return mesh_mean_hops(extents) / static_cast<double>(extents.size());
}

}  // namespace weir::experiments::models
