#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

/// LogGP: each byte takes G, the time for which a flit holds a channel, divided by its bytes.
/// Routers or engines may be slower.
Assumption gap_per_byte_assumption() {
    return {.name = "gap_per_byte",
            .label = "time per byte without contention",
            .after = {},
            .correct =
                [](ExplainedTerms& terms, const TraceFacts& facts) {
                    terms.bodies.gap_cycles_per_byte =
                        facts.input("least_gap_cycles_per_byte", terms.bodies.gap_cycles_per_byte);
                },
            .correction = "the trace's shortest time per byte of a message",
            .settings = {},
            .idealisation = {}};
}

}  // namespace weir::experiments::analyses
