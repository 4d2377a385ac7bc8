#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/models/model_input.h"

/// The shape of a memory hierarchy and what its misses cost: all that a prediction of Memory logP's
/// l may see of a machine.
///
/// Source: Cameron and Sun, "Memory logP" (2003), section 6, for the two machines measured there.
/// What that section does not give is marked [assumed]: associativities from the processors'
/// published descriptions as remembered, costs of a page walk as said beside them.
namespace weir::experiments::models {

/// Ways of a store in which a block may lie anywhere.
constexpr std::int64_t kFullyAssociative = 0;

struct CacheLevelGeometry {
    std::int64_t bytes = 0;
    std::int64_t line_bytes = 0;  ///< a power of two
    std::int64_t ways = kFullyAssociative;
    /// T_(j+1): what a miss here adds to the reference. A reference that misses at several levels
    /// pays for each, as the sum of section 8 has it.
    double miss_cycles = kNotGiven;

    [[nodiscard]] std::int64_t lines() const { return bytes / line_bytes; }
    [[nodiscard]] std::int64_t lines_in_a_set() const {
        return ways == kFullyAssociative ? lines() : ways;
    }
    [[nodiscard]] std::int64_t sets() const { return lines() / lines_in_a_set(); }
};

struct TlbGeometry {
    std::int64_t entries = 0;  ///< 0: addresses are not translated
    std::int64_t ways = kFullyAssociative;
    std::int64_t page_bytes = 4096;  ///< a power of two
    double walk_cycles =
        kNotGiven;  ///< what a miss adds to the reference; not read without entries

    [[nodiscard]] std::int64_t entries_in_a_set() const {
        return ways == kFullyAssociative ? entries : ways;
    }
    [[nodiscard]] std::int64_t sets() const { return entries / entries_in_a_set(); }
};

/// Cache levels from the processor outwards; behind the last one is memory. A level is looked up
/// for what missed at the level before it, takes in the line it misses, and replaces the least
/// recently used line of the set. Stores take their line in like loads. No level throws out what
/// another one holds, and lines written back do not count as references.
struct MemoryHierarchyGeometry {
    std::vector<CacheLevelGeometry> levels;
    TlbGeometry tlb;
};

/// ModelError unless there is a level, lines and pages are powers of two, lines do not shrink
/// outwards and fit into a page, a level and the TLB are whole numbers of sets, and costs are
/// given.
void require_memory_hierarchy(const MemoryHierarchyGeometry& geometry);

/// 933 MHz Pentium III (section 6): 16 kB and 256 kB, lines of 32 bytes, misses of 7 and 70 cycles,
/// pages of 4096 bytes. [assumed]: 4 and 8 ways; a TLB of 64 entries in 4 ways whose walk is two
/// loads that miss the first level, 14 cycles.
[[nodiscard]] MemoryHierarchyGeometry pentium3_hierarchy();

/// 195 MHz MIPS R10000 (section 6): 32 kB in 2 ways and 4 MB, lines of 32 bytes, misses of 12 and
/// 90 cycles, pages of 4096 bytes. [assumed]: 2 ways in the second level; a fully associative TLB
/// of 64 entries of one page each (the processor's hold a pair), refilled by software in 70 cycles.
[[nodiscard]] MemoryHierarchyGeometry r10000_hierarchy();

/// What a person must read beside numbers that come from one of these machines.
[[nodiscard]] std::string pentium3_assumptions();
[[nodiscard]] std::string r10000_assumptions();

}  // namespace weir::experiments::models
