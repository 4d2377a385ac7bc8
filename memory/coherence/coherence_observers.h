#pragma once

#include "hw/tracing/trace_probe.h"
#include "memory/coherence/line_states.h"
#include "memory/coherence/miss_classes.h"
#include "memory/coherence/transaction_trace.h"

namespace weir::memory {

/// Who looks on at what the coherence controllers of a machine do, and changes nothing; null:
/// nobody.
struct CoherenceObservers {
    TransactionTrace* transactions = nullptr;
    MissClasses* misses = nullptr;
    LineStates* lines = nullptr;
    hw::TraceSink* accesses = nullptr;  ///< keeps every word that an access has moved
};

}  // namespace weir::memory
