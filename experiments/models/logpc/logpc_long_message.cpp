#include "experiments/models/logpc/logpc_long_message.h"

#include "experiments/models/logpc/loggp_long_message.h"

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
    require_quantity("send_overhead_cycles (o_s)", inputs.send_overhead_cycles, 0.0, "cycles");
    require_quantity("header_bytes (a)", inputs.header_bytes, 0.0, "bytes");
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

}  // namespace weir::experiments::models
