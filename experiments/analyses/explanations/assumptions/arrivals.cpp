#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

/// Arriving messages find the mean queue of their node (LoPC Section 3.2), random handlers (M/D/1)
/// or no queue (LogP). Bursts and correlated arrivals find longer queues.
Assumption arrivals_assumption() {
    return {.name = "arrivals",
            .label = "queueing at handlers",
            .after = {"finite_population", "network_contention"},
            .correct =
                [](ExplainedTerms& terms, const TraceFacts& facts) {
                    terms.request_queueing_cycles = facts.part("request_queueing");
                    terms.reply_queueing_cycles = facts.part("reply_queueing");
                    if (terms.queueing == ExplainedTerms::Queueing::kOneHandler) {
                        terms.interference_cycles = facts.part("interference");
                    }
                },
            .correction = "the trace's waits for handlers",
            .settings = {},
            .idealisation = {}};
}

}  // namespace weir::experiments::analyses
