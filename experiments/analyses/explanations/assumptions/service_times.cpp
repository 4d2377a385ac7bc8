#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

namespace {

// Sends and handlers of messages without replies. The time in which handlers wait for bodies, and
// the overheads that models hide behind arriving bytes, are not part of them.
void correct_processor_times(ExplainedTerms& terms, const TraceFacts& facts) {
    const ExplainedBodies& bodies = terms.bodies;
    if (terms.pattern == ExplainedTerms::Pattern::kSingleBody) {
        terms.request_cycles = facts.input("long_send_overhead_cycles", terms.request_cycles);
        return;
    }
    terms.request_cycles = facts.part("send");
    terms.reply_cycles = facts.part("handler") - bodies.count * facts.body_receive_cycles() -
                         facts.hidden_start_cycles(bodies);
    if (bodies.count == 0.0) {
        terms.reply_cycles += facts.part("dma");
    }
}

}  // namespace

/// LoPC Section 3.1.2 has one S_o and one C^2 for all handlers. LogP's o_s and o_r are constant.
Assumption service_times_assumption() {
    return {.name = "service_times",
            .label = "handler times and their variation",
            // Blocked sends of machines whose queues fill belong to the queues.
            .after = {"queues"},
            .correct =
                [](ExplainedTerms& terms, const TraceFacts& facts) {
                    if (terms.pattern != ExplainedTerms::Pattern::kRoundTrip) {
                        correct_processor_times(terms, facts);
                        return;
                    }
                    terms.request_cycles =
                        facts.input("request_handler_cycles", terms.request_cycles);
                    terms.reply_cycles = facts.part("reply_handler");
                    terms.request_squared_cv =
                        facts.input("request_handler_squared_cv", terms.request_squared_cv);
                    terms.reply_squared_cv =
                        facts.input("reply_handler_squared_cv", terms.reply_squared_cv);
                },
            .correction = "the trace's times of both kinds of handlers",
            .settings = {{"workload.handler_squared_cv", 0.0}},
            .idealisation = "machine with constant handlers",
            // Without replies only the handlers' mean time counts.
            .only_with = IdealSetting{"workload.style", "synchronous"}};
}

}  // namespace weir::experiments::analyses
