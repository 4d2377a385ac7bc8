#include "experiments/analyses/compared_models/lopc.h"

#include <utility>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/patterns/iterations.h"
#include "experiments/models/lopc/lopc_client_server.h"
#include "experiments/models/lopc/lopc_mva.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::analyses {

models::LopcInputs constant_lopc_inputs(Question& question) {
    Inputs& inputs = question.inputs;
    const nodes::ReceiveMode mode = question.machine.receive_mode;
    if (mode == nodes::ReceiveMode::kPolling) {
        throw models::ModelError(
            "assumes handlers that interrupt the thread or run beside it; here the thread polls");
    }
    models::LopcInputs lopc;
    lopc.processors = question.machine.processors();
    lopc.work_cycles =
        inputs.has("thread_cycles") ? inputs.take("thread_cycles") : inputs.take("work_cycles");
    lopc.network_cycles = inputs.take("latency_cycles");
    lopc.handler_cycles = inputs.take("handler_cycles");
    lopc.handler_squared_cv = 0.0;
    lopc.protocol_processor = mode == nodes::ReceiveMode::kProtocolProcessor;
    return lopc;
}

models::LopcInputs lopc_inputs(Question& question) {
    models::LopcInputs lopc = constant_lopc_inputs(question);
    if (question.inputs.has("handler_squared_cv")) {
        lopc.handler_squared_cv = question.inputs.take("handler_squared_cv");
    }
    return lopc;
}

void say_contention(Question& question, const models::LopcContention& contention) {
    const IterationMetrics& m = iteration_metrics();
    add(question.details, m.interference_cycles, contention.interference_cycles);
    add(question.details, m.request_queueing_cycles, contention.request_queueing_cycles);
    add(question.details, m.reply_queueing_cycles, contention.reply_queueing_cycles);
    add(question.details, m.processor_contention_cycles, contention.total_cycles());
}

models::LopcGeneralInputs lopc_general_inputs(const models::LopcInputs& lopc,
                                              models::LopcVisits visits) {
    models::LopcGeneralInputs general;
    general.visits = std::move(visits);
    general.work_cycles = {lopc.work_cycles};
    general.network_cycles = lopc.network_cycles;
    general.handler_cycles = lopc.handler_cycles;
    general.handler_squared_cv = lopc.handler_squared_cv;
    general.protocol_processor = lopc.protocol_processor;
    return general;
}

namespace {

// LoPC Section 5: clients and servers, and the best number of servers by (18).
double lopc_client_server(const models::LopcInputs& lopc, Question& question) {
    const IterationMetrics& m = iteration_metrics();
    const models::LopcClientServerInputs inputs{.processors = lopc.processors,
                                                .work_cycles = lopc.work_cycles,
                                                .network_cycles = lopc.network_cycles,
                                                .handler_cycles = lopc.handler_cycles,
                                                .handler_squared_cv = lopc.handler_squared_cv};
    const models::LopcClientServerSolution solution =
        models::solve_lopc_client_server(inputs, static_cast<int>(question.pattern.servers));
    add(question.details, m.request_queueing_cycles, solution.server_queueing_cycles);
    add(question.details, m.processor_contention_cycles, solution.server_queueing_cycles);
    add(question.details, m.requests_per_cycle, solution.requests_per_cycle);
    add(question.details, model_metrics().best_servers, models::lopc_best_servers(inputs).servers);
    return solution.response_cycles;
}

// LoPC Appendix A: requests that nodes forward to all other nodes equally. A request queues at each
// visit. All nodes are alike, so the first one's results hold for all.
double lopc_multi_hop(const models::LopcInputs& lopc, Question& question) {
    const double visits = question.pattern.visits_per_request;
    const models::LopcGeneralSolution solution = models::solve_lopc_general(
        lopc_general_inputs(lopc, models::lopc_all_to_any_visits(lopc.processors, visits)));
    const models::LopcNode& node = solution.nodes.front();
    say_contention(
        question,
        {.interference_cycles = node.thread_response_cycles - lopc.work_cycles,
         .request_queueing_cycles = visits * (node.request_response_cycles - lopc.handler_cycles),
         .reply_queueing_cycles = node.reply_response_cycles - lopc.handler_cycles});
    return solution.response_cycles;
}

double lopc_round_trip(Question& question) {
    const models::LopcInputs lopc = lopc_inputs(question);
    if (question.pattern.servers > 0.0) {
        return lopc_client_server(lopc, question);
    }
    if (question.pattern.visits_per_request > 1.0) {
        return lopc_multi_hop(lopc, question);
    }
    const models::LopcSolution solution = models::solve_lopc_all_to_any(lopc);
    say_contention(question, solution.contention);
    // Bounds (9) hold for constant handlers that interrupt the thread.
    if (lopc.handler_squared_cv == 0.0 && !lopc.protocol_processor) {
        const models::LopcBounds bounds = models::lopc_response_bounds(lopc);
        add(question.details, model_metrics().lower_bound_cycles, bounds.lower_cycles);
        add(question.details, model_metrics().upper_bound_cycles, bounds.upper_cycles);
    }
    return solution.response_cycles;
}

// Assumes that every node sends its requests to all other nodes equally often.
double lopc_schweitzer_round_trip(Question& question) {
    require_all_to_all(question);
    const models::LopcInputs lopc = lopc_inputs(question);
    return models::solve_lopc_bard_schweitzer_all_to_any(lopc, question.pattern.visits_per_request)
        .response_cycles;
}

double lopc_rule_of_thumb_round_trip(Question& question) {
    require_all_to_all(question);
    require_one_visit(question);
    require_handlers_that_interrupt(question.machine);
    const models::LogpInputs logp = logp_inputs(question.inputs);
    add(question.details, iteration_metrics().processor_contention_cycles,
        models::lopc_rule_of_thumb_contention_cycles(logp));
    return models::lopc_rule_of_thumb_round_trip_cycles(logp, question.inputs.take("work_cycles"));
}

}  // namespace

ComparedModel lopc_compared() {
    return {.name = "lopc",
            .sentence = "LoPC: requests and replies queue for processors",
            .round_trip = lopc_round_trip,
            .one_way = only_with_replies,
            .program = not_this_program,
            .fitted = fitted_lopc(),
            .terms = lopc_terms};
}

ComparedModel lopc_schweitzer_compared() {
    return {.name = "lopc_schweitzer",
            .sentence = "LoPC's queueing network, solved by Bard-Schweitzer",
            .round_trip = lopc_schweitzer_round_trip,
            .one_way = only_with_replies,
            .fitted = fitted_lopc(),
            .terms = [](Question& question) {
                ExplainedTerms terms = lopc_terms(question);
                terms.found_share = 1.0 - 1.0 / terms.threads;
                return terms;
            }};
}

ComparedModel lopc_rule_of_thumb_compared() {
    return {.name = "lopc_rule_of_thumb",
            .sentence = "LogP with one more handler in each round trip",
            .round_trip = lopc_rule_of_thumb_round_trip,
            .one_way = only_with_replies,
            .fitted = fitted_logp(),
            .terms = [](Question& question) {
                ExplainedTerms terms = logp_terms(question);
                terms.queueing = ExplainedTerms::Queueing::kOneHandler;
                return terms;
            }};
}

}  // namespace weir::experiments::analyses
