#include "experiments/analyses/explanations/model_terms.h"

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/compared_models/logpc.h"
#include "experiments/analyses/compared_models/lopc.h"
#include "experiments/models/logpc/logpc_network.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::analyses {

namespace {

ExplainedTerms terms_of_pattern(const Question& question) {
    if (question.pattern.outstanding_requests > 1.0) {
        only_one_request(question);
    }
    ExplainedTerms terms;
    const double servers = question.pattern.servers;
    const double nodes = question.machine.processors();
    terms.pattern = question.communication == firmware::Communication::kOneWay
                        ? ExplainedTerms::Pattern::kOneWay
                        : ExplainedTerms::Pattern::kRoundTrip;
    terms.visits = question.pattern.visits_per_request;
    terms.has_servers = servers > 0.0;
    terms.threads = terms.has_servers ? nodes - servers : nodes - 1.0;
    terms.request_load = terms.has_servers ? terms.threads / servers : terms.visits;
    terms.interrupts_thread =
        question.machine.receive_mode != nodes::ReceiveMode::kProtocolProcessor;
    return terms;
}

ExplainedBodies bodies_of(Question& question, double count) {
    const MachineView& machine = question.machine;
    return {.count = count,
            .message_bytes = question.inputs.take("message_bytes"),
            .gap_cycles_per_byte = machine.channel_cycles_per_byte,
            .memory_gap_cycles_per_byte = machine.memory_cycles_per_byte,
            .header_bytes = kHeaderBytes,
            .sends_block = machine.sends_block,
            .receives_block = machine.receives_block};
}

// LoGPC Section 5.1.3: o_s + (B - 1) G + (B - 1 - a) G.
ExplainedTerms long_one_way_terms(Question& question) {
    require_blocking_bodies(question.machine);
    ExplainedTerms terms;
    terms.pattern = ExplainedTerms::Pattern::kOneWay;
    terms.work_cycles = 0.0;
    terms.reply_cycles = 0.0;
    terms.request_cycles = question.inputs.take("long_send_overhead_cycles");
    terms.bodies = bodies_of(question, 1.0);
    return terms;
}

// LoGPC (2).
ExplainedTerms single_body_terms(Question& question) {
    require_handlers_that_interrupt(question.machine);
    ExplainedTerms terms;
    terms.pattern = ExplainedTerms::Pattern::kSingleBody;
    terms.request_cycles = question.inputs.take("long_send_overhead_cycles");
    terms.latency_cycles = question.inputs.take("first_byte_latency_cycles");
    terms.reply_cycles = question.inputs.take("long_receive_overhead_cycles");
    terms.bodies = bodies_of(question, 1.0);
    return terms;
}

// Adds the overheads of a program's messages with bodies. A handler that waits for its body hides
// o_rl behind the arriving bytes (LoGPC Section 5.1.3).
void add_bodies(Question& question, double count, ExplainedTerms& terms) {
    terms.bodies = bodies_of(question, count);
    terms.request_cycles += count * question.inputs.take("long_send_overhead_cycles");
    if (!question.machine.receives_block) {
        terms.reply_cycles += count * question.inputs.take("long_receive_overhead_cycles");
    }
    terms.latency_cycles = question.inputs.take("first_byte_latency_cycles");
}

// Processor time of a node's messages (LogP Section 4.2; LoGPC Section 5.3 for EM3D).
ExplainedTerms program_terms(Question& question) {
    require_handlers_that_interrupt(question.machine);
    ExplainedTerms terms;
    terms.pattern = ExplainedTerms::Pattern::kProgram;
    terms.work_cycles = question.inputs.take("program_work_cycles");
    terms.request_cycles = 0.0;
    terms.reply_cycles = 0.0;
    const double messages = question.inputs.take("messages_per_node");
    if (messages > 0.0) {
        const models::LogpInputs logp = logp_inputs(question.inputs);
        terms.request_cycles += messages * logp.send_overhead_cycles;
        terms.reply_cycles += messages * logp.receive_overhead_cycles;
        terms.latency_cycles = logp.latency_cycles;
    }
    const double bodies = question.inputs.take("bodies_per_node");
    if (bodies > 0.0) {
        add_bodies(question, bodies, terms);
    }
    terms.wait_cycles = question.pattern.phases * terms.latency_cycles;
    return terms;
}

// C_n of one body. Heads never wait if they pass at most one channel in each dimension: (3).
double contention_of_body(Question& question, const ExplainedTerms& terms,
                          double channel_cycles_per_byte) {
    models::LogpcNetworkInputs network = logpc_network_inputs(question, channel_cycles_per_byte);
    if (terms.pattern == ExplainedTerms::Pattern::kProgram) {
        network.mean_distance_per_dimension =
            question.inputs.take("mean_hops") / network.dimensions;
        if (network.mean_distance_per_dimension <= 1.0) {
            return 0.0;
        }
    }
    return models::solve_logpc_network(network, terms.cycles() / terms.bodies.count)
        .contention_cycles;
}

}  // namespace

ExplainedTerms loggp_terms(Question& question) {
    switch (question.communication) {
        case firmware::Communication::kProgram:
            return program_terms(question);
        case firmware::Communication::kSingle:
            return single_body_terms(question);
        case firmware::Communication::kOneWay:
            return long_one_way_terms(question);
        case firmware::Communication::kRequestReply:
        case firmware::Communication::kPipeline:
        case firmware::Communication::kNone:
            break;
    }
    throw models::ModelError("has no terms for round trips of bodies, or for pipelines");
}

ExplainedTerms logpc_body_terms(Question& question, double channel_cycles_per_byte) {
    ExplainedTerms terms = loggp_terms(question);
    if (terms.bodies.count > 0.0 && terms.bodies.sends_block) {
        terms.network_wait_cycles =
            terms.bodies.count * contention_of_body(question, terms, channel_cycles_per_byte);
    }
    return terms;
}

ExplainedTerms logp_terms(Question& question) {
    ExplainedTerms terms = terms_of_pattern(question);
    const models::LogpInputs logp = logp_inputs(question.inputs);
    const double work = question.inputs.take("work_cycles");
    const bool is_one_way = terms.pattern == ExplainedTerms::Pattern::kOneWay;
    terms.latency_cycles = logp.latency_cycles;
    terms.work_cycles = is_one_way ? work : work + logp.send_overhead_cycles;
    terms.request_cycles = is_one_way ? logp.send_overhead_cycles
                                      : logp.receive_overhead_cycles + logp.send_overhead_cycles;
    terms.reply_cycles = logp.receive_overhead_cycles;
    return terms;
}

ExplainedTerms lopc_terms(Question& question) {
    ExplainedTerms terms = terms_of_pattern(question);
    const models::LopcInputs lopc = lopc_inputs(question);
    terms.queueing = ExplainedTerms::Queueing::kLopc;
    terms.work_cycles = lopc.work_cycles;
    terms.latency_cycles = lopc.network_cycles;
    terms.request_cycles = lopc.handler_cycles;
    terms.reply_cycles = lopc.handler_cycles;
    terms.request_squared_cv = lopc.handler_squared_cv;
    terms.reply_squared_cv = lopc.handler_squared_cv;
    return terms;
}

}  // namespace weir::experiments::analyses
