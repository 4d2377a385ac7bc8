#include <cstdint>

#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

namespace {

// Time by which bodies take longer to leave a sender, and to arrive in a handler that waits, than
// at the network's own rate.
double waits_of_bodies(const ExplainedTerms& terms, const TraceFacts& facts) {
    const ExplainedBodies& bodies = terms.bodies;
    const bool holds_processor = terms.pattern != ExplainedTerms::Pattern::kSingleBody;
    if (bodies.count == 0.0 || !holds_processor) {
        return 0.0;
    }
    const double sends = bodies.sends_block ? facts.body_send_cycles() - bodies.send_cycles() : 0.0;
    const double receives =
        bodies.receives_block ? facts.body_receive_cycles() - bodies.receive_cycles() : 0.0;
    return bodies.count * (sends + receives);
}

}  // namespace

/// LoPC Section 2 and LogP: a trip takes S_l, or L. LoGPC adds waits by Agarwal's equations.
/// Messages that wait in the network wait less for handlers, so the trace's waits alone are too
/// much. Few waits remain on a machine with more networks, and those are the trace's.
Assumption network_contention_assumption() {
    return {.name = "network_contention",
            .label = "contention in the network",
            .after = {"queues", "gap_per_byte", "body_receive"},
            .correct =
                [](ExplainedTerms& terms, const TraceFacts& facts) {
                    if (terms.pattern != ExplainedTerms::Pattern::kRoundTrip) {
                        terms.network_wait_cycles = waits_of_bodies(terms, facts);
                        return;
                    }
                    terms.network_wait_cycles = facts.part("request_network_contention") +
                                                facts.part("reply_network_contention");
                },
            .correction = "the trace's waits in the network",
            // Copies have the same latency without contention, which a delay network has not.
            .settings = {{"network.copies", std::int64_t{16}}},
            .idealisation = "machine with 16 copies of its network"};
}

}  // namespace weir::experiments::analyses
