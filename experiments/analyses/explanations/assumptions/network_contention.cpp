#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

/// LoPC Section 2 and LogP: a trip takes S_l, or L. LoGPC adds waits by Agarwal's equations. The
/// trace has each message's wait in the network, so no machine needs to run.
Assumption network_contention_assumption() {
    return {.name = "network_contention",
            .label = "contention in the network",
            .after = {"queues"},
            .correct =
                [](ExplainedTerms& terms, const TraceFacts& facts) {
                    terms.network_wait_cycles = facts.part("request_network_contention") +
                                                facts.part("reply_network_contention");
                },
            .correction = "the trace's waits in the network",
            .settings = {},
            .idealisation = {}};
}

}  // namespace weir::experiments::analyses
