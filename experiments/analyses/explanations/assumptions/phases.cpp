#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

/// A program waits L for the last message of each phase (LogP Section 4.1.1), and all nodes reach
/// it together. Nodes with other work, late messages and full DMA engines make it wait longer.
Assumption phases_assumption() {
    return {.name = "phases",
            .label = "waits of a program for messages",
            .after = {},
            .correct =
                [](ExplainedTerms& terms, const TraceFacts& facts) {
                    if (terms.pattern != ExplainedTerms::Pattern::kProgram) {
                        return;
                    }
                    terms.wait_cycles = 0.0;
                    for (const char* state : {"wait", "synchronize", "memory_wait", "switch"}) {
                        terms.wait_cycles += facts.part(state);
                    }
                    if (terms.bodies.count > 0.0 && !terms.bodies.sends_block) {
                        terms.wait_cycles += facts.part("dma");
                    }
                },
            .correction = "the trace's waits",
            .settings = {},
            .idealisation = {}};
}

}  // namespace weir::experiments::analyses
