#include <algorithm>

#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

/// LoPC Section 3.2: by Bard's approximation, an arriving request finds the mean queue. This
/// includes its own thread's share, which Schweitzer subtracts.
Assumption finite_population_assumption() {
    return {.name = "finite_population",
            .label = "finite number of threads",
            .after = {"service_times", "reply_at_end"},
            .correct =
                [](ExplainedTerms& terms, const TraceFacts& /*facts*/) {
                    terms.found_share = 1.0 - 1.0 / std::max(1.0, terms.threads);
                },
            .correction = "Schweitzer's approximation",
            .settings = {},
            .idealisation = {}};
}

}  // namespace weir::experiments::analyses
