#include <cstdint>

#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

/// Models describe a steady state. A run has a warm-up, and nodes that end before others. Where the
/// experiment itself leaves out a warm-up, none is detected.
Assumption run_ends_assumption() {
    return {.name = "run_ends",
            .label = "warm-up and end of the run",
            .after = {},
            .correct =
                [](ExplainedTerms& terms, const TraceFacts& facts) {
                    // A program's waits for messages belong to the program.
                    const bool is_program = terms.pattern == ExplainedTerms::Pattern::kProgram;
                    terms.idle_cycles =
                        facts.part("done") + (is_program ? 0.0 : facts.part("wait"));
                },
            .correction = "the trace's idle time of nodes",
            .settings = {{"run.warm_up", "detected", "automatic"}},
            .idealisation = "the run after its detected warm-up",
            .only_with = IdealSetting{"run.warmup_cycles", std::int64_t{0}}};
}

}  // namespace weir::experiments::analyses
