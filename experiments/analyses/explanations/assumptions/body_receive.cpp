#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

/// LoGPC Section 5.1.3: a handler takes a body in (B - 1 - a) G, as its bytes arrive, and hides
/// o_rl. On the machine the DMA engine starts later, and then takes queued bytes at its own rate.
/// For one message alone, LoGPC (2) has the whole o_rl before this start.
Assumption body_receive_assumption() {
    return {.name = "body_receive",
            .label = "start of the receiving DMA engine",
            .after = {"gap_per_byte", "service_times"},
            .correct =
                [](ExplainedTerms& terms, const TraceFacts& facts) {
                    ExplainedBodies& bodies = terms.bodies;
                    const double header_to_dma = facts.input("header_to_dma_cycles", 0.0);
                    if (terms.pattern == ExplainedTerms::Pattern::kSingleBody) {
                        terms.reply_cycles = header_to_dma;
                    } else if (bodies.count > 0.0 && bodies.receives_block) {
                        bodies.header_to_dma_cycles = header_to_dma;
                        bodies.start_cycles = facts.hidden_start_cycles(bodies);
                    }
                },
            .correction = "the trace's time from a header's arrival to the start of the engine",
            .settings = {},
            .idealisation = {}};
}

}  // namespace weir::experiments::analyses
