#pragma once

#include <cstdint>
#include <vector>

#include "experiments/models/memory_logp/access_pattern.h"
#include "experiments/models/memory_logp/memory_hierarchy_geometry.h"

/// When each reference of a transfer ends, with what the sum of memory logP's section 8 leaves out:
/// lines that were stored to have to be written back, and while they are, later misses wait.
///
/// Which references miss, and which line leaves with which miss, does not depend on time. Misses
/// are those of stack distances (hierarchy_misses.h). Least recently used lines leave a set in the
/// order of their last references; so the k-th miss of a set, beyond those that fill it, takes out
/// the k-th of its stays by that order, and it is written back if something was stored during it.
/// Time is then a recurrence of maxima and sums over the misses: of the processor, which waits for
/// each miss before it goes on, of each level beyond the first, which is busy with one request at a
/// time, of the write buffers' entries, and of the memory port, which moves one line at a time,
/// lines fetched before lines written unless the last level's write buffer is full or holds what is
/// fetched. Nothing is replaced to find any of it out.
///
/// It holds for levels that write back, bring in the line of a store that misses, keep the
/// processor until it is there, and fetch nothing ahead. Elements do not straddle lines.
namespace weir::experiments::models {

/// Of one cache level.
struct LevelTiming {
    std::int64_t access_cycles = 0;  ///< from a request to the answer of a hit; not of the first
    std::int64_t busy_cycles = 1;    ///< from one request to the next it takes; not of the first
    std::int64_t miss_cycles = 0;    ///< from a miss to the request to the next level
    std::int64_t write_buffer_entries = 1;
};

struct TransferTimingInputs {
    std::int64_t load_cycles = 1;   ///< of an element, where it hits
    std::int64_t store_cycles = 1;  ///< the same
    std::int64_t loop_cycles = 0;   ///< of an element, beyond both
    std::int64_t walk_cycles = 0;   ///< of a page that the TLB has not got
    std::vector<LevelTiming> levels;
    // The memory port: a burst asked for in a cycle begins in the next one at the earliest.
    std::int64_t port_access_cycles = 0;
    std::int64_t port_beat_bytes = 8;
    std::int64_t port_beat_cycles = 1;
    std::int64_t port_row_bytes = 0;          ///< 0: no rows
    std::int64_t port_row_access_cycles = 0;  ///< in the row of the burst before
};

struct TransferTiming {
    std::vector<double> repetition_cycles;  ///< from an empty hierarchy on
    // Of the last repetition:
    std::vector<std::int64_t> misses;       ///< by level
    std::vector<std::int64_t> write_backs;  ///< by level: stored-to lines that left it
    std::int64_t tlb_misses = 0;
};

/// The geometry's costs are not looked at. ModelError for a pattern or geometry out of range,
/// elements that straddle lines, or other than one timing a level.
[[nodiscard]] TransferTiming transfer_timing(const MemoryHierarchyGeometry& geometry,
                                             const TransferTimingInputs& inputs,
                                             const AccessPattern& pattern);

/// T of every level, and the TLB's walk: what a miss costs by these inputs where nothing is in its
/// way. What a geometry needs for the sum of section 8.
[[nodiscard]] MemoryHierarchyGeometry with_unloaded_costs(MemoryHierarchyGeometry geometry,
                                                          const TransferTimingInputs& inputs);

}  // namespace weir::experiments::models
