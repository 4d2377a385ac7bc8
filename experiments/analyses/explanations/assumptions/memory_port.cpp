#include <cstdint>

#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

/// LogGP and LoGPC: DMA engines do not disturb each other, nor the processor. On the machine they
/// share the memory's port: both engines at work are each 45 % slower (LoGPC Section 2.2).
Assumption memory_port_assumption() {
    constexpr std::int64_t kBurstBytes = 64;  // the greatest accepted width
    return {.name = "memory_port",
            .label = "DMA engines' waits for the memory",
            .after = {"run_ends"},
            .settings = {{.key = "memory_port.beat_bytes",
                          .value = kBurstBytes,
                          .messages = IdealSetting::Messages::kWithBodies},
                         {.key = "memory_port.beat_cycles",
                          .value = std::int64_t{1},
                          .messages = IdealSetting::Messages::kWithBodies}},
            .idealisation = "machine whose memory moves 64 bytes in a cycle"};
}

}  // namespace weir::experiments::analyses
