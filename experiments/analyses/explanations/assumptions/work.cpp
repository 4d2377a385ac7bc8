#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

/// The given W against the thread's own time in the run.
Assumption work_assumption() {
    return {.name = "work",
            .label = "the thread's own time",
            .after = {},
            .correct =
                [](ExplainedTerms& terms, const TraceFacts& facts) {
                    terms.work_cycles = facts.part("compute");
                    if (terms.pattern == ExplainedTerms::Pattern::kRoundTrip) {
                        terms.work_cycles += facts.part("wait") + facts.part("request_send");
                    }
                },
            .correction = "the trace's time of the thread",
            .settings = {},
            .idealisation = {}};
}

}  // namespace weir::experiments::analyses
