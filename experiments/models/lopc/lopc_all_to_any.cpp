#include "experiments/models/lopc/lopc_all_to_any.h"

#include <optional>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/contention_root.h"
#include "experiments/models/lopc/lopc_checks.h"
#include "experiments/models/lopc/lopc_fixed_point.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

/// Time of a request handler, which also sends the reply.
double request_handler_cycles(const LopcInputs& inputs) {
    return inputs.handler_cycles + inputs.send_overhead_cycles;
}

double contention_free_cycles(const LopcInputs& inputs) {
    return inputs.work_cycles + 2.0 * inputs.network_cycles + 2.0 * request_handler_cycles(inputs);
}

/// Handlers at a node, waiting or in service, if a round trip takes R.
struct HandlerQueues {
    double request_utilization;  // U_q
    double reply_utilization;    // U_y
    double requests;             // Q_q
    double replies;              // Q_y
};

/// (C_o^2 - 1)/2: mean residual of the handler in service at an arrival, less one handler.
double residual_correction(const LopcInputs& inputs) {
    return (inputs.handler_squared_cv - 1.0) / 2.0;
}

/// Solves (3), (4), (5') and (6'), which are linear in Q_q and Q_y for a given R. The denominator
/// is at least 1/4: every R tried is at least the contention-free time, so U_q and U_y are at most
/// 1/2.
HandlerQueues queues_at(const LopcInputs& inputs, double response_cycles) {
    const double uq = request_handler_cycles(inputs) / response_cycles;  // (4), X/P = 1/R by (2)
    const double uy = inputs.handler_cycles / response_cycles;
    const double c = residual_correction(inputs);
    const double requests =
        (uq + uy * (uy + c * uq * uq) + c * (uq * uq + uy * uy)) / (1.0 - uq - uy * uq);
    const double replies = uy + uq * (requests + c * uq);
    return {uq, uy, requests, replies};
}

/// Computes each part alone: the time to which it is added may be larger by many magnitudes.
LopcContention contention_of(const LopcInputs& inputs, const HandlerQueues& at_node) {
    const double request_handler = request_handler_cycles(inputs);
    const double reply_handler = inputs.handler_cycles;
    const double c = residual_correction(inputs);
    const double requests_ahead =
        request_handler * (at_node.requests + c * at_node.request_utilization);
    const double replies_ahead = reply_handler * (at_node.replies + c * at_node.reply_utilization);
    const double thread = inputs.work_cycles + inputs.send_overhead_cycles;
    return {
        .interference_cycles =  // (7); no interference by a protocol processor (section 4.2)
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
    if (contention_free_cycles(inputs) < kLopcShortestRoundTrip) {
        throw ModelError(
            "work_cycles (W), network_cycles (S_l) and handler_cycles (S_o): W + 2 S_l + 2 S_o + 2 "
            "o_s is " +
                shortest_text(contention_free_cycles(inputs)),
            shortest_text(kLopcShortestRoundTrip) + " cycles or more");
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
            "0: the bounds (9) hold for constant handlers");
    }
    if (inputs.send_overhead_cycles != 0.0) {
        throw ModelError(
            "send_overhead_cycles (o_s) is " + shortest_text(inputs.send_overhead_cycles),
            "0: the bounds (9) hold for sends without overhead");
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
    if (contention_free_cycles(handlers_alone) < kLopcShortestRoundTrip) {
        return 0.0;
    }
    return contention_cycles(handlers_alone);
}

double lopc_rule_of_thumb_contention_cycles(const LogpInputs& inputs) {
    // A handler receives a request and sends its reply: o_s + o_r, as in an asynchronous iteration.
    return logp_asynchronous_iteration_cycles(inputs);
}

double lopc_rule_of_thumb_round_trip_cycles(const LogpInputs& inputs, double work_cycles) {
    return logp_round_trip_cycles(inputs, work_cycles) +
           lopc_rule_of_thumb_contention_cycles(inputs);
}

namespace {

class AllToAny final : public Model {
  public:
    AllToAny()
        : Model("lopc-all-to-any", "Round trips of requests and replies between any two nodes",
                "LoPC (1997), section 4") {
        input(WEIR_NAMED(in_, processors), "P", "Number of nodes", {2.0, 1e9});
        input(WEIR_NAMED(in_, work_cycles), "W", "Work of a thread between two requests");
        declare_lopc_machine(*this, in_);
        flag(WEIR_NAMED(in_, protocol_processor),
             "true: a protocol processor in each node runs the handlers, as for shared memory "
             "(section 4.2)");
        input(requests_, "requests_per_thread", "n", "Number of requests that each thread makes");

        output(WEIR_NAMED(out_, response_cycles), "R",
               "Time of a round trip: work, request and reply", "(1)");
        output(WEIR_NAMED(out_, thread_response_cycles), "R_w",
               "Work between two requests, interruptions by handlers included", "(7)");
        output(WEIR_NAMED(out_, request_response_cycles), "R_q",
               "Time of a request at its destination, queueing and service", "(5')");
        output(WEIR_NAMED(out_, reply_response_cycles), "R_y",
               "Time of a reply at its destination, queueing and service", "(6')");
        output(WEIR_NAMED(out_, requests_queued), "Q_q",
               "Number of requests at a node, waiting or in service", "(3)");
        output(WEIR_NAMED(out_, replies_queued), "Q_y",
               "Number of replies at a node, waiting or in service", "(3)");
        output(out_.handler_utilization, "request_utilization", "U_q",
               "Share of a processor's time that request handlers take", "(4)");
        output(WEIR_NAMED(out_, reply_utilization), "U_y",
               "Share of a processor's time that reply handlers take", "(4)");
        output(WEIR_NAMED(out_, requests_per_cycle), "X",
               "Throughput of the whole machine in requests per cycle", "(2)");
        output([this] { return out_.contention.total_cycles(); }, "contention_cycles", "C",
               "Time of a round trip that is contention", "(1)");
        output(WEIR_NAMED(out_.contention, interference_cycles), "R_w - W",
               "Contention by request handlers that interrupt the thread", "(7)");
        output(WEIR_NAMED(out_.contention, request_queueing_cycles), "R_q - S_o",
               "Contention of the request: waiting for other handlers", "(5')");
        output(WEIR_NAMED(out_.contention, reply_queueing_cycles), "R_y - S_o",
               "Contention of the reply: waiting for other handlers", "(6')");
        output([this] { return out_.contention.total_cycles() / out_.response_cycles; },
               "contention_fraction", "C/R", "Share of a round trip that is contention",
               "Figure 5");
        output([this] { return lopc_contention_free_cycles(in_); }, "contention_free_cycles", "",
               "Time of a round trip without contention (LogP)", "Section 4.4");
        output(bounds_, &LopcBounds::lower_cycles, "lower_bound_cycles", "",
               "Lower bound on the time of a round trip, for constant handler times", "(9)");
        output(bounds_, &LopcBounds::upper_cycles, "upper_bound_cycles", "",
               "Upper bound on the time of a round trip, for constant handler times", "(9)");
        output([this] { return lopc_worst_contention_cycles(in_); }, "worst_contention_cycles", "",
               "Largest contention of a round trip over all W and S_l", "Section 4.4");
        output(
            [this] {
                LopcInputs exponential = in_;
                exponential.handler_squared_cv = 1.0;
                return solve_lopc_all_to_any(exponential).response_cycles;
            },
            "exponential_response_cycles", "R",
            "Time of a round trip with exponential handler times", "(5), (6)");
        output([this] { return requests_ * out_.response_cycles; }, "runtime_cycles", "n R",
               "Run time of a thread: all its requests", "Section 3.2");
    }

  private:
    void evaluate() override {
        out_ = solve_lopc_all_to_any(in_);
        bounds_.reset();
        if (in_.handler_squared_cv == 0.0 && in_.send_overhead_cycles == 0.0) {
            bounds_ = lopc_response_bounds(in_);
        } else {
            note("The bounds (9) hold only for constant handlers and sends without overhead.");
        }
        note(
            "Section 4.4's errors against its simulator (17 %, 76 %, 7 %; LogP 37 %, 13 %) cannot "
            "be recomputed: its times are not printed. A simulation of its assumptions gives "
            "errors of 16.6 % for contention, 65 % for replies, 6.2 % for run time; LogP -37.2 %, "
            "at W = 1000 -13.0 %.");
    }

    LopcInputs in_;
    double requests_ = 1.0;
    LopcSolution out_;
    std::optional<LopcBounds> bounds_;
};

class RuleOfThumb final : public Model {
  public:
    RuleOfThumb()
        : Model("lopc-rule-of-thumb", "Round trip whose contention is one more handler time",
                "LoPC (1997), section 4.4; LoGPC (2001), section 5.1.1") {
        input(WEIR_NAMED(in_, latency_cycles), "L",
              "Time from the end of the send to the receiver's interrupt");
        input(WEIR_NAMED(in_, send_overhead_cycles), "o_s",
              "Processor time to compose and launch a message");
        input(WEIR_NAMED(in_, receive_overhead_cycles), "o_r",
              "Processor time for the interrupt and handler of a message");
        input(work_cycles_, "work_cycles", "W", "Work of a thread between two requests");

        output([this] { return lopc_rule_of_thumb_contention_cycles(in_); }, "contention_cycles",
               "C_r", "Contention of a round trip, the time of one more handler: o_r + o_s",
               "LoGPC 5.1.1");
        output([this] { return logp_round_trip_cycles(in_, work_cycles_); },
               "contention_free_cycles", "", "Time of a round trip by LogP: W + 2(o_s + L + o_r)",
               "LoGPC 5.1.1");
        output([this] { return lopc_rule_of_thumb_round_trip_cycles(in_, work_cycles_); },
               "response_cycles", "R", "Time of a round trip with contention", "LoGPC 5.1.1");
        output([this] { return full_response_cycles(); }, "full_response_cycles", "R",
               "Time of a round trip by LoPC's full equations, with S_o = o_s + o_r and C_o^2 = 0",
               "(1) to (7)");
    }

  private:
    /// No value for a round trip that takes no time.
    [[nodiscard]] std::optional<double> full_response_cycles() const {
        if (logp_round_trip_cycles(in_, work_cycles_) < kLopcShortestRoundTrip) {
            return std::nullopt;
        }
        return solve_lopc_all_to_any(
                   {.processors = 2,
                    .work_cycles = work_cycles_,
                    .network_cycles = in_.latency_cycles,
                    .handler_cycles = in_.send_overhead_cycles + in_.receive_overhead_cycles,
                    .handler_squared_cv = 0.0})
            .response_cycles;
    }

    void evaluate() override {
        note("LoGPC's Table 4 calls this rule LoPC; LoPC's full equations give more contention.");
    }

    LogpInputs in_;
    double work_cycles_ = 0.0;
};

}  // namespace

std::unique_ptr<Model> lopc_all_to_any_model() { return std::make_unique<AllToAny>(); }

std::unique_ptr<Model> lopc_rule_of_thumb_model() { return std::make_unique<RuleOfThumb>(); }

}  // namespace weir::experiments::models
