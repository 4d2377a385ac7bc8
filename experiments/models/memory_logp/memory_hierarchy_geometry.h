#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/models/model_input.h"

/// Geometry of a memory hierarchy and costs of its misses: everything about a machine from which
/// Memory logP's l is predicted.
///
/// Source: Cameron and Sun, "Memory logP" (2003), section 6, for the two machines measured there.
/// Numbers that the section does not give are marked [assumed]. Associativities are from memory of
/// the processors' published descriptions; costs of a page walk are explained beside them.
namespace weir::experiments::models {

/// Value of `ways` for a fully associative store, in which a block may lie anywhere.
constexpr std::int64_t kFullyAssociative = 0;

struct CacheLevelGeometry {
    std::int64_t bytes = 0;
    std::int64_t line_bytes = 0;  ///< line length, a power of two
    std::int64_t ways = kFullyAssociative;
    /// T_(j+1): time that a miss in this level adds to a reference. A reference that misses at
    /// several levels pays for each, as in the sum of section 8.
    double miss_cycles = kNotGiven;

    [[nodiscard]] std::int64_t lines() const { return bytes / line_bytes; }
    [[nodiscard]] std::int64_t lines_in_a_set() const {
        return ways == kFullyAssociative ? lines() : ways;
    }
    [[nodiscard]] std::int64_t sets() const { return lines() / lines_in_a_set(); }
};

struct TlbGeometry {
    std::int64_t entries = 0;  ///< entries of the TLB; 0: no address translation
    std::int64_t ways = kFullyAssociative;
    std::int64_t page_bytes = 4096;  ///< page size, a power of two
    double walk_cycles =
        kNotGiven;  ///< time that a miss adds to a reference; not used without entries

    [[nodiscard]] std::int64_t entries_in_a_set() const {
        return ways == kFullyAssociative ? entries : ways;
    }
    [[nodiscard]] std::int64_t sets() const { return entries / entries_in_a_set(); }
};

/// Cache levels from the processor outwards, followed by memory. A level serves the misses of the
/// level before it. On a miss it fetches the line, and replaces the least recently used line of the
/// set. Stores fetch lines like loads. Levels neither include nor exclude each other's lines, and
/// lines written back do not count as references.
struct MemoryHierarchyGeometry {
    std::vector<CacheLevelGeometry> levels;
    TlbGeometry tlb;
};

/// Throws ModelError unless the hierarchy is complete: one level or more, lines and pages that are
/// powers of two, whole numbers of sets, and costs. Lines must not shrink outwards and must fit
/// into a page.
void require_memory_hierarchy(const MemoryHierarchyGeometry& geometry);

/// 933 MHz Pentium III (section 6): 16 kB and 256 kB, lines of 32 bytes, misses of 7 and 70 cycles,
/// pages of 4096 bytes. [assumed]: 4 and 8 ways; a TLB of 64 entries in 4 ways. The TLB's walk is
/// two loads that miss the first level, 14 cycles.
[[nodiscard]] MemoryHierarchyGeometry pentium3_hierarchy();

/// 195 MHz MIPS R10000 (section 6): 32 kB in 2 ways, 4 MB, lines of 32 bytes, misses of 12 and 90
/// cycles. Pages are 4096 bytes. [assumed]: 2 ways in the second level; a fully associative TLB of
/// 64 entries, refilled by software in 70 cycles. The TLB's entries hold one page each (the
/// processor's own entries hold two).
[[nodiscard]] MemoryHierarchyGeometry r10000_hierarchy();

/// Assumptions about a machine, for the notes beside results that use it.
[[nodiscard]] std::string pentium3_assumptions();
[[nodiscard]] std::string r10000_assumptions();

}  // namespace weir::experiments::models
