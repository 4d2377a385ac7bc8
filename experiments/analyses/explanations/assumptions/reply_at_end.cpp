#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

/// In LoPC and LogP a reply leaves at the end of its handler. On machines the handler still has to
/// return from the interrupt, while the reply is under way.
Assumption reply_at_end_assumption() {
    return {.name = "reply_at_end",
            .label = "replies before the end of handlers",
            .after = {"service_times"},
            .correct =
                [](ExplainedTerms& terms, const TraceFacts& facts) {
                    if (terms.pattern == ExplainedTerms::Pattern::kRoundTrip) {
                        terms.after_reply_cycles = terms.visits * terms.request_cycles -
                                                   facts.part("request_handler") -
                                                   facts.part("reply_send");
                    }
                },
            .correction = "the trace's time from a handler's begin to its reply",
            .settings = {},
            .idealisation = {}};
}

}  // namespace weir::experiments::analyses
