#include "experiments/analyses/explanations/model_terms.h"

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/compared_models/lopc.h"

namespace weir::experiments::analyses {

namespace {

ExplainedTerms terms_of_pattern(const Question& question) {
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

}  // namespace

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
