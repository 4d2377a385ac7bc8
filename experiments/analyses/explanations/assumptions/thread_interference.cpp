#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

/// LoPC (7): request handlers interrupt a thread at random times of its work. Handlers that
/// interrupt a send also save its words (LoGPC Section 5.1.2).
Assumption thread_interference_assumption() {
    return {.name = "interference",
            .label = "interrupts of the thread",
            .after = {"finite_population", "work"},
            .correct =
                [](ExplainedTerms& terms, const TraceFacts& facts) {
                    terms.interference_cycles = facts.part("interference");
                    terms.saves_cycles = facts.part("saves");
                },
            .correction = "the trace's interrupts of the thread",
            .settings = {},
            .idealisation = {}};
}

}  // namespace weir::experiments::analyses
