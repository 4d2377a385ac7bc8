#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

/// LoGPC Section 5.1.3: a processor sends a body, then receives another. On the machine, handlers
/// interrupt the wait for the sending DMA engine, and the body moves on meanwhile.
Assumption overlap_assumption() {
    return {.name = "overlap",
            .label = "handlers while a sent body moves",
            .after = {"network_contention"},
            .correct =
                [](ExplainedTerms& terms, const TraceFacts& facts) {
                    ExplainedBodies& bodies = terms.bodies;
                    if (bodies.count > 0.0 && bodies.sends_block &&
                        terms.pattern != ExplainedTerms::Pattern::kSingleBody) {
                        bodies.overlap_cycles =
                            bodies.count * facts.body_send_cycles() - facts.part("dma");
                    }
                },
            .correction = "the trace's waits for sending DMA engines",
            .settings = {},
            .idealisation = {}};
}

}  // namespace weir::experiments::analyses
