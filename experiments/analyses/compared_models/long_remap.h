#pragma once

#include "experiments/analyses/question.h"
#include "experiments/models/logpc/logpc_long_message.h"

namespace weir::experiments::analyses {

/// LoGPC Section 5.1.3: an asynchronous remap of long messages, with and without contention.
[[nodiscard]] models::LogpcRemap long_remap(Question& question, double channel_cycles_per_byte);

}  // namespace weir::experiments::analyses
