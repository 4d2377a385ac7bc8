#include <cstdint>

#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

/// LoPC Section 2: infinite queues. Sends never wait for room.
Assumption queues_assumption() {
    constexpr std::int64_t kBytes = 1 << 20;  // the greatest accepted size
    return {.name = "queues",
            .label = "full queues and blocked sends",
            .after = {"run_ends"},
            .correct =
                [](ExplainedTerms& terms, const TraceFacts& facts) {
                    terms.blocked_cycles = facts.part("blocked") + facts.part("trap");
                },
            .correction = "the trace's blocked sends",
            .settings = {{"controller.input_queue_bytes", kBytes},
                         // A sending DMA engine would end when its body is in the queue.
                         {.key = "controller.output_queue_bytes",
                          .value = kBytes,
                          .messages = IdealSetting::Messages::kWithoutBodies}},
            .idealisation = "machine with queues of 1 MB"};
}

}  // namespace weir::experiments::analyses
