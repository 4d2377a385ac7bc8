#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/compared_models/lopc.h"
#include "experiments/models/queueing/md1_all_to_any.h"

namespace weir::experiments::analyses {

namespace {

double md1_round_trip(Question& question) {
    require_all_to_all(question);
    require_one_visit(question);
    const models::LopcInputs lopc = constant_lopc_inputs(question);
    const models::Md1Solution solution =
        models::solve_md1_all_to_any({.work_cycles = lopc.work_cycles,
                                      .network_cycles = lopc.network_cycles,
                                      .handler_cycles = lopc.handler_cycles,
                                      .protocol_processor = lopc.protocol_processor});
    say_contention(question, solution.contention);
    return solution.response_cycles;
}

}  // namespace

ComparedModel md1_compared() {
    return {.name = "md1",
            .sentence = "M/D/1: requests arrive at a node independently of each other",
            .round_trip = md1_round_trip,
            .one_way = only_with_replies,
            .fitted = fitted_lopc(),
            .terms = [](Question& question) {
                ExplainedTerms terms = lopc_terms(question);
                terms.queueing = ExplainedTerms::Queueing::kMd1;
                terms.request_squared_cv = 0.0;
                terms.reply_squared_cv = 0.0;
                return terms;
            }};
}

}  // namespace weir::experiments::analyses
