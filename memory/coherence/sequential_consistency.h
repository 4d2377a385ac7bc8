#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "hw/tracing/trace_probe.h"

namespace weir::memory {

/// What was found of accesses to shared memory that a trace has kept.
struct OrderCheck {
    std::size_t words = 0;     ///< of memory that they moved
    std::size_t programs = 0;  ///< that made them: contexts of nodes
    std::string fault;         ///< accesses that no order can have; empty where there is one
};

/// Whether the accesses are sequentially consistent (Lamport, IEEE TC 1979): all of them can have
/// happened one after the other, those of each program in its own order, and each load has what
/// was stored last. Times are not asked for, but for the order of the stores to one word.
///
/// A graph has an edge from each access to what must come after it:
///   program order  the next access of its program
///   coherence      the next store to its word, in the order in which they were performed
///   reads-from     from a store to the loads of what it stored
///   from-reads     from a load to the store that comes next after the one it has read from
/// There is such an order exactly when the graph has no cycle (Shasha and Snir, TOPLAS 1988). A
/// shortest cycle through its earliest access is named.
///
/// Which store a load has read from, its word says: the last one before the load with that word,
/// else what was there at first, else the first one after it. So no order is missed where one
/// memory would have given those words; where words repeat and the order is another one, a cycle
/// may be found that a store with the same word would explain. A word that nobody stored is a
/// fault, too.
[[nodiscard]] OrderCheck check_order(std::span<const hw::SharedAccess> accesses);

}  // namespace weir::memory
