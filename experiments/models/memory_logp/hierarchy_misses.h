#pragma once

#include <cstdint>
#include <vector>

#include "experiments/models/memory_logp/access_pattern.h"
#include "experiments/models/memory_logp/memory_hierarchy_geometry.h"

/// How often an access pattern misses at every level of a hierarchy, from stack distances: exact
/// for least-recently-used replacement, and without replacing anything.
///
/// An element that straddles lines of the first level is one reference a line. A cache level sees
/// what missed at the level before it; its distances are those of that filtered stream. The TLB
/// sees every reference. A reference hits where its stack distance within its set is below the
/// ways.
namespace weir::experiments::models {

struct RepetitionMisses {
    std::int64_t references = 0;   ///< that looked this level up
    std::int64_t cold_misses = 0;  ///< of them, to a block never referenced at this level before
    std::int64_t misses = 0;       ///< cold ones and those whose block had been replaced
};

struct HierarchyMisses {
    std::vector<std::vector<RepetitionMisses>> levels;  ///< [level][repetition], outwards
    std::vector<RepetitionMisses> tlb;                  ///< [repetition]; empty without a TLB
};

/// No pattern may make more references in all its repetitions than this: memory and time to count
/// them grow with it (8 million take some 500 MB and five seconds).
constexpr std::int64_t kMostReferences = std::int64_t{1} << 23;

/// ModelError for more than kMostReferences to lines of a first level with such lines, before
/// anything of that length is made.
void require_few_references(const AccessPattern& pattern, std::int64_t line_bytes);

/// ModelError for a pattern or a geometry out of range, or more than kMostReferences.
[[nodiscard]] HierarchyMisses misses_from_stack_distances(const MemoryHierarchyGeometry& geometry,
                                                          const AccessPattern& pattern);

}  // namespace weir::experiments::models
