#include "experiments/models/lopc/lopc_nonblocking.h"

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/compared_models/lopc.h"

namespace weir::experiments::analyses {

namespace {

// The equations have one C^2 for all handlers. It is the mean of both kinds', so that their
// different times are no variation.
double nonblocking_round_trip(Question& question) {
    require_all_to_all(question);
    require_one_visit(question);
    const models::LopcInputs lopc = constant_lopc_inputs(question);
    Inputs& inputs = question.inputs;
    const double request_squared_cv = inputs.take("request_handler_squared_cv");
    const double reply_squared_cv = inputs.take("reply_handler_squared_cv");
    return models::solve_lopc_nonblocking(
               {.processors = lopc.processors,
                .outstanding_requests = question.pattern.outstanding_requests,
                .work_cycles = lopc.work_cycles,
                .work_squared_cv = question.pattern.work_squared_cv,
                .network_cycles = lopc.network_cycles,
                .request_handler_cycles = inputs.take("request_handler_cycles"),
                .reply_handler_cycles = inputs.take("reply_handler_cycles"),
                .handler_squared_cv = (request_squared_cv + reply_squared_cv) / 2.0,
                .protocol_processor = lopc.protocol_processor})
        .cycles_per_request;
}

}  // namespace

// Programs with several threads on a node have answers of their own (kernels/multithread.cpp,
// kernels/shared_reads.cpp).
ComparedModel lopc_nonblocking_compared() {
    return {.name = "lopc_nonblocking",
            .sentence = "LoPC with several outstanding requests of each node",
            .round_trip = only_several_requests,
            .one_way = only_several_requests,
            .several_requests = nonblocking_round_trip};
}

}  // namespace weir::experiments::analyses
