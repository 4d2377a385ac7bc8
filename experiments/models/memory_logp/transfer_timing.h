#pragma once

#include <cstdint>
#include <vector>

#include "experiments/models/memory_logp/access_pattern.h"
#include "experiments/models/memory_logp/memory_hierarchy_geometry.h"

/// Time of each reference of a transfer. Includes a delay that the sum of Memory logP's section 8
/// leaves out: writing back lines that were stored to delays later misses.
///
/// Which references miss, and which line each miss evicts, does not depend on time. Misses follow
/// from stack distances (hierarchy_misses.h). Lines of a set are evicted in the order of their last
/// references. So, beyond the misses that fill a set, the k-th miss evicts the k-th of its stays in
/// that order. The line is written back if it was stored to during its stay.
///
/// Time is then a recurrence of maxima and sums over the misses:
///  - the processor waits for each miss before it continues;
///  - each level beyond the first serves one request at a time;
///  - write buffers have a limited number of entries;
///  - the memory port moves one line at a time. Fetches go before writes, unless the last level's
///    write buffer is full or holds the line to be fetched.
/// Replacement is not simulated.
///
/// Valid for levels that write back, allocate a line on a store miss, block the processor until the
/// line arrives, and do not prefetch. Elements must not straddle lines.
namespace weir::experiments::models {

/// Timing of one cache level.
struct LevelTiming {
    /// Cycles from request to answer of a hit; not used for the first level.
    std::int64_t access_cycles = 0;
    /// Cycles from one request to the next; not used for the first level.
    std::int64_t busy_cycles = 1;
    std::int64_t miss_cycles = 0;  ///< cycles from a miss to the request to the next level
    std::int64_t write_buffer_entries = 1;
};

struct TransferTimingInputs {
    std::int64_t load_cycles = 1;   ///< cycles of an element's load that hits
    std::int64_t store_cycles = 1;  ///< cycles of an element's store that hits
    std::int64_t loop_cycles = 0;   ///< cycles per element, in addition to load and store
    std::int64_t walk_cycles = 0;   ///< cycles of a TLB miss
    std::vector<LevelTiming> levels;
    // Timing of the memory port. A burst begins at the earliest in the cycle after its request.
    std::int64_t port_access_cycles = 0;
    std::int64_t port_beat_bytes = 8;
    std::int64_t port_beat_cycles = 1;
    std::int64_t port_row_bytes = 0;          ///< bytes of a memory row; 0: memory without rows
    std::int64_t port_row_access_cycles = 0;  ///< access time in the row of the previous burst
};

struct TransferTiming {
    /// Cycles of each repetition; the first repetition starts with empty caches.
    std::vector<double> repetition_cycles;
    // Counts of the last repetition:
    std::vector<std::int64_t> misses;       ///< misses, by level
    std::vector<std::int64_t> write_backs;  ///< evicted lines that were stored to, by level
    std::int64_t tlb_misses = 0;
};

/// Computes the times; does not use the geometry's costs. Throws ModelError for a pattern or
/// geometry out of range, elements that straddle lines, or a number of timings other than that of
/// levels.
[[nodiscard]] TransferTiming transfer_timing(const MemoryHierarchyGeometry& geometry,
                                             const TransferTimingInputs& inputs,
                                             const AccessPattern& pattern);

/// The geometry with costs of misses, T of every level and the TLB's walk, for an unloaded memory
/// with these inputs. The sum of section 8 needs these costs.
[[nodiscard]] MemoryHierarchyGeometry with_unloaded_costs(MemoryHierarchyGeometry geometry,
                                                          const TransferTimingInputs& inputs);

}  // namespace weir::experiments::models
