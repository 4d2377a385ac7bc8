#include "experiments/models/lopc/lopc_all_to_any.h"

#include "experiments/models/contention_root.h"
#include "experiments/models/lopc/lopc_checks.h"
#include "experiments/models/lopc/lopc_fixed_point.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

/// A request handler's own time: it sends the reply.
double request_handler_cycles(const LopcInputs& inputs) {
    return inputs.handler_cycles + inputs.send_overhead_cycles;
}

double contention_free_cycles(const LopcInputs& inputs) {
    return inputs.work_cycles + 2.0 * inputs.network_cycles + 2.0 * request_handler_cycles(inputs);
}

/// What queues at a node if a cycle takes R.
struct HandlerQueues {
    double request_utilization;  // U_q
    double reply_utilization;    // U_y
    double requests;             // Q_q
    double replies;              // Q_y
};

/// (C_o^2 - 1)/2: what the handler in service has left when another arrives, less a whole handler.
double residual_correction(const LopcInputs& inputs) {
    return (inputs.handler_squared_cv - 1.0) / 2.0;
}

/// (3), (4), (5') and (6'), which are linear in Q_q and Q_y once R is given. The denominator is at
/// least 1/4, since every R asked for is at least the contention-free time, and so U_q and U_y at
/// most 1/2.
HandlerQueues queues_at(const LopcInputs& inputs, double response_cycles) {
    const double uq = request_handler_cycles(inputs) / response_cycles;  // (4), X/P = 1/R by (2)
    const double uy = inputs.handler_cycles / response_cycles;
    const double c = residual_correction(inputs);
    const double requests =
        (uq + uy * (uy + c * uq * uq) + c * (uq * uq + uy * uy)) / (1.0 - uq - uy * uq);
    const double replies = uy + uq * (requests + c * uq);
    return {uq, uy, requests, replies};
}

/// Each part is written without the time it adds to, which may be very much larger.
LopcContention contention_of(const LopcInputs& inputs, const HandlerQueues& at_node) {
    const double request_handler = request_handler_cycles(inputs);
    const double reply_handler = inputs.handler_cycles;
    const double c = residual_correction(inputs);
    const double requests_ahead =
        request_handler * (at_node.requests + c * at_node.request_utilization);
    const double replies_ahead = reply_handler * (at_node.replies + c * at_node.reply_utilization);
    const double thread = inputs.work_cycles + inputs.send_overhead_cycles;
    return {
        .interference_cycles =  // (7); Section 4.2: none from a protocol processor
        inputs.protocol_processor
            ? 0.0
            : (request_handler * at_node.requests + thread * at_node.request_utilization) /
                  (1.0 - at_node.request_utilization),
        .request_queueing_cycles = requests_ahead + replies_ahead,  // (5')
        .reply_queueing_cycles = requests_ahead,                    // (6')
    };
}

double contention_cycles(const LopcInputs& inputs) {
    return solve_for_contention(contention_free_cycles(inputs), [&](double response_cycles) {
        return contention_of(inputs, queues_at(inputs, response_cycles)).total_cycles();
    });
}

}  // namespace

LopcSolution solve_lopc_all_to_any(const LopcInputs& inputs) {
    check_lopc_alike_nodes(inputs);
    if (contention_free_cycles(inputs) < kLopcShortestTurn) {
        throw ModelError(
            "work_cycles (W), network_cycles (S_l) and handler_cycles (S_o): W + 2 S_l + 2 S_o + 2 "
            "o_s is " +
                shortest_text(contention_free_cycles(inputs)),
            shortest_text(kLopcShortestTurn) + " cycles or more");
    }
    const double response = contention_free_cycles(inputs) + contention_cycles(inputs);  // (1)
    const HandlerQueues at_node = queues_at(inputs, response);
    const LopcContention contention = contention_of(inputs, at_node);
    return {
        .response_cycles = response,
        .thread_response_cycles =
            inputs.work_cycles + inputs.send_overhead_cycles + contention.interference_cycles,
        .request_response_cycles =
            request_handler_cycles(inputs) + contention.request_queueing_cycles,
        .reply_response_cycles = inputs.handler_cycles + contention.reply_queueing_cycles,
        .requests_queued = at_node.requests,
        .replies_queued = at_node.replies,
        .handler_utilization = at_node.request_utilization,
        .reply_utilization = at_node.reply_utilization,
        .requests_per_cycle = inputs.processors / response,  // (2)
        .contention = contention,
    };
}

LopcBounds lopc_response_bounds(const LopcInputs& inputs) {
    check_lopc_alike_nodes(inputs);
    if (inputs.handler_squared_cv != 0.0) {
        throw ModelError(
            "handler_squared_cv (C_o^2) is " + shortest_text(inputs.handler_squared_cv),
            "0, the bounds (9) are those of constant handlers");
    }
    if (inputs.send_overhead_cycles != 0.0) {
        throw ModelError(
            "send_overhead_cycles (o_s) is " + shortest_text(inputs.send_overhead_cycles),
            "0, the bounds (9) are those of free sends");
    }
    const double outside_handlers = inputs.work_cycles + 2.0 * inputs.network_cycles;
    return {.lower_cycles = outside_handlers + 2.0 * inputs.handler_cycles,
            .upper_cycles = outside_handlers + 3.46 * inputs.handler_cycles};  // (9)
}

double lopc_contention_free_cycles(const LopcInputs& inputs) {
    check_lopc_alike_nodes(inputs);
    return contention_free_cycles(inputs);
}

double lopc_worst_contention_cycles(const LopcInputs& inputs) {
    check_lopc_alike_nodes(inputs);
    LopcInputs handlers_alone = inputs;
    handlers_alone.work_cycles = 0.0;
    handlers_alone.network_cycles = 0.0;
    if (contention_free_cycles(handlers_alone) < kLopcShortestTurn) {
        return 0.0;
    }
    return contention_cycles(handlers_alone);
}

double lopc_rule_of_thumb_contention_cycles(const LogpInputs& inputs) {
    // One handler that takes a request and sends its reply: the same sum as one asynchronous turn.
    return logp_asynchronous_iteration_cycles(inputs);
}

double lopc_rule_of_thumb_round_trip_cycles(const LogpInputs& inputs, double work_cycles) {
    return logp_round_trip_cycles(inputs, work_cycles) +
           lopc_rule_of_thumb_contention_cycles(inputs);
}

}  // namespace weir::experiments::models
