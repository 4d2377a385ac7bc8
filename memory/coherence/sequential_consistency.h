#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "hw/tracing/trace_probe.h"

namespace weir::memory {

/// Result of a check of traced accesses to shared memory.
struct OrderCheck {
    std::size_t words = 0;     ///< number of words that the accesses moved
    std::size_t programs = 0;  ///< number of programs, which are contexts of nodes
    std::string fault;  ///< accesses that no order explains, as text; empty if there is an order
};

/// Checks whether the accesses are sequentially consistent (Lamport, IEEE TC 1979). There must be a
/// total order with each program's accesses in program order, in which each load returns the last
/// store. The accesses' clock cycles are used only for the order of stores to the same word.
///
/// A graph has an edge from each access to those that must follow:
///  - program order: the next access of its program;
///  - coherence: the next store to its word, in the order in which they were performed;
///  - reads-from: from a store to the loads of its value;
///  - from-reads: from a load to the store that follows the store that it read.
///
/// An order exists exactly if the graph has no cycle (Shasha and Snir, TOPLAS 1988). The report
/// names a shortest cycle through its earliest access.
///
/// The store that a load has read is inferred from the word. It is the last store of that word
/// before the load, else the initial value, else the first store after the load. So no order is
/// missed if words are unique. If words repeat, a reported cycle may be explained by another store
/// of the same word. A loaded word that was never stored is a fault, too.
[[nodiscard]] OrderCheck check_order(std::span<const hw::SharedAccess> accesses);

}  // namespace weir::memory
