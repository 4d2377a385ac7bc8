#pragma once

#include <cstdint>
#include <vector>

#include "experiments/models/memory_logp/access_pattern.h"
#include "experiments/models/memory_logp/memory_hierarchy_geometry.h"

/// Misses of an access pattern at every level of a hierarchy, from stack distances. Exact for
/// least-recently-used replacement, without simulating it.
///
/// An element that straddles lines of the first level makes one reference to each line. The misses
/// of a cache level are the references of the next level, whose distances are those of that
/// filtered stream. The TLB sees every reference. A reference hits if its stack distance within its
/// set is below the number of ways.
namespace weir::experiments::models {

struct RepetitionMisses {
    std::int64_t references = 0;   ///< number of lookups in this level
    std::int64_t cold_misses = 0;  ///< misses of a block never referenced at this level before
    std::int64_t misses = 0;       ///< cold misses, and misses of blocks that were replaced
};

struct HierarchyMisses {
    /// Misses by [level][repetition], levels from the processor outwards.
    std::vector<std::vector<RepetitionMisses>> levels;
    /// Misses by [repetition]; empty without a TLB.
    std::vector<RepetitionMisses> tlb;
};

/// Largest number of references of a pattern in all its repetitions. Memory and time to count
/// misses grow with the number (8 million references take some 500 MB and five seconds).
constexpr std::int64_t kMostReferences = std::int64_t{1} << 23;

/// Throws ModelError for more than kMostReferences references to first-level lines of `line_bytes`.
/// To be called before allocating memory for the references.
void require_few_references(const AccessPattern& pattern, std::int64_t line_bytes);

/// Throws ModelError for a pattern or geometry out of range, or more than kMostReferences
/// references.
[[nodiscard]] HierarchyMisses misses_from_stack_distances(const MemoryHierarchyGeometry& geometry,
                                                          const AccessPattern& pattern);

}  // namespace weir::experiments::models
