#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

/// The given L against that of the run's messages without their waits.
Assumption latency_assumption() {
    return {.name = "latency",
            .label = "latency without contention",
            .after = {},
            .correct =
                [](ExplainedTerms& terms, const TraceFacts& facts) {
                    if (terms.pattern == ExplainedTerms::Pattern::kSingleBody) {
                        terms.latency_cycles =
                            facts.input("first_byte_latency_cycles", terms.latency_cycles);
                        return;
                    }
                    terms.latency_cycles =
                        (facts.part("request_network_unloaded") + facts.part("request_notify") +
                         facts.part("reply_network_unloaded") + facts.part("reply_notify")) /
                        (terms.visits + 1.0);
                },
            .correction = "the trace's latency",
            .settings = {},
            .idealisation = {}};
}

}  // namespace weir::experiments::analyses
