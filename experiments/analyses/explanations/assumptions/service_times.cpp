#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

/// LoPC Section 3.1.2 has one S_o and one C^2 for all handlers. LogP's o_s and o_r are constant.
Assumption service_times_assumption() {
    return {.name = "service_times",
            .label = "handler times and their variation",
            .after = {},
            .correct =
                [](ExplainedTerms& terms, const TraceFacts& facts) {
                    if (terms.pattern == ExplainedTerms::Pattern::kOneWay) {
                        terms.request_cycles = facts.part("send");
                        terms.reply_cycles = facts.part("handler") + facts.part("dma");
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
            .settings = {},
            .idealisation = {}};
}

}  // namespace weir::experiments::analyses
