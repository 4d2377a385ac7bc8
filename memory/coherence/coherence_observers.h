#pragma once

#include "hw/tracing/trace_probe.h"
#include "memory/coherence/line_states.h"
#include "memory/coherence/miss_classes.h"
#include "memory/coherence/transaction_trace.h"

namespace weir::memory {

/// Observers of a machine's coherence controllers, which change no result; null if not used.
struct CoherenceObservers {
    TransactionTrace* transactions = nullptr;
    MissClasses* misses = nullptr;
    LineStates* lines = nullptr;
    hw::TraceSink* accesses = nullptr;  ///< records every word that an access moves
};

}  // namespace weir::memory
