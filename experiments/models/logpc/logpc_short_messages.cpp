#include "experiments/models/logpc/logpc_short_messages.h"

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

}  // namespace weir::experiments::models
