#include "experiments/models/memory_logp/memory_hierarchy_geometry.h"

#include <bit>

#include "experiments/models/model_error.h"

namespace weir::experiments::models {

namespace {

constexpr std::int64_t kKilobyte = 1024;
constexpr double kPentium3FirstLevelMissCycles = 7.0;

std::string text(std::int64_t value) { return std::to_string(value); }

void require_power_of_two(const std::string& name, std::int64_t value) {
    if (value <= 0 || !std::has_single_bit(static_cast<std::uint64_t>(value)) ||
        static_cast<double>(value) > kLargestQuantity) {
        throw ModelError(name + " is " + text(value), "a power of two of bytes");
    }
}

// Throws ModelError unless `blocks` (lines of a cache, entries of a TLB) form whole sets of `ways`.
void require_whole_sets(const std::string& name, std::int64_t ways, std::int64_t blocks,
                        const std::string& blocks_are) {
    if (ways != kFullyAssociative && (ways < 0 || ways > blocks || blocks % ways != 0)) {
        throw ModelError(name + " is " + text(ways), "0 (fully associative) or a divisor of the " +
                                                         text(blocks) + " " + blocks_are);
    }
}

void require_level(const CacheLevelGeometry& level, const std::string& of) {
    require_power_of_two("level_line_bytes" + of, level.line_bytes);
    if (level.bytes < level.line_bytes || level.bytes % level.line_bytes != 0 ||
        static_cast<double>(level.bytes) > kLargestQuantity) {
        throw ModelError("level_bytes" + of + " is " + text(level.bytes),
                         "a multiple of the line's " + text(level.line_bytes) + " bytes, up to " +
                             shortest_text(kLargestQuantity));
    }
    require_whole_sets("level_ways" + of, level.ways, level.lines(), "lines");
    require_quantity("level_miss_cycles" + of, level.miss_cycles, 0.0, "cycles");
}

void require_tlb(const TlbGeometry& tlb, std::int64_t line_bytes) {
    require_quantity("tlb_entries", static_cast<double>(tlb.entries), 0.0, "entries");
    if (tlb.entries == 0) {
        return;
    }
    require_power_of_two("page_bytes", tlb.page_bytes);
    if (tlb.page_bytes < line_bytes) {
        throw ModelError("page_bytes is " + text(tlb.page_bytes),
                         "the first level's line of " + text(line_bytes) + " bytes, or more");
    }
    require_whole_sets("tlb_ways", tlb.ways, tlb.entries, "entries");
    require_quantity("tlb_walk_cycles", tlb.walk_cycles);
}

}  // namespace

void require_memory_hierarchy(const MemoryHierarchyGeometry& geometry) {
    if (geometry.levels.empty()) {
        throw ModelError("level_bytes is an empty list",
                         "one number for each level, from the processor outwards");
    }
    std::int64_t inner_line_bytes = 1;
    for (std::size_t i = 0; i < geometry.levels.size(); ++i) {
        const CacheLevelGeometry& level = geometry.levels[i];
        const std::string of = " of level " + std::to_string(i + 1);
        require_level(level, of);
        if (level.line_bytes < inner_line_bytes) {
            throw ModelError(
                "level_line_bytes" + of + " is " + text(level.line_bytes),
                "the line of the level before it, " + text(inner_line_bytes) + " bytes, or more");
        }
        inner_line_bytes = level.line_bytes;
    }
    require_tlb(geometry.tlb, geometry.levels.front().line_bytes);
}

MemoryHierarchyGeometry pentium3_hierarchy() {
    return {
        {{16 * kKilobyte, 32, 4, kPentium3FirstLevelMissCycles}, {256 * kKilobyte, 32, 8, 70.0}},
        {64, 4, 4096, 2.0 * kPentium3FirstLevelMissCycles}};
}

MemoryHierarchyGeometry r10000_hierarchy() {
    return {{{32 * kKilobyte, 32, 2, 12.0}, {4 * kKilobyte * kKilobyte, 32, 2, 90.0}},
            {64, kFullyAssociative, 4096, 70.0}};
}

std::string pentium3_assumptions() {
    return "pentium3: 4 and 8 ways, and a TLB with 64 entries, 4 ways and a walk of 14 cycles, are "
           "assumptions; section 6 gives neither.";
}

std::string r10000_assumptions() {
    return "r10000: the second level's 2 ways and the TLB (64 entries, fully associative, a refill "
           "of 70 cycles) are assumptions; section 6 gives neither.";
}

}  // namespace weir::experiments::models
