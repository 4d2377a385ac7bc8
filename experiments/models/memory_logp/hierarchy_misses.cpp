#include "experiments/models/memory_logp/hierarchy_misses.h"

#include <algorithm>
#include <string>
#include <utility>

#include "experiments/models/memory_logp/stack_distance.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {

namespace {

struct LineReference {
    std::uint64_t address = 0;
    std::uint64_t repetition = 0;
};

struct LookedUp {
    std::vector<RepetitionMisses> repetitions;
    std::vector<LineReference> missed;  ///< misses, which are the references of the next level
};

/// References of all repetitions to lines of the first level, in program order.
std::vector<LineReference> line_references(const AccessPattern& pattern, std::uint64_t line_bytes) {
    std::vector<LineReference> of_a_repetition;
    for (const MemoryReference& reference : references_of_a_repetition(pattern)) {
        const std::uint64_t end = reference.address + reference.bytes;
        for (std::uint64_t address = reference.address; address < end;
             address = (address / line_bytes + 1) * line_bytes) {
            of_a_repetition.push_back({address, 0});
        }
    }
    std::vector<LineReference> all;
    all.reserve(of_a_repetition.size() * static_cast<std::size_t>(pattern.repetitions));
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(pattern.repetitions); ++i) {
        for (const LineReference& reference : of_a_repetition) {
            all.push_back({reference.address, i});
        }
    }
    return all;
}

LookedUp look_up(const std::vector<LineReference>& references, std::int64_t repetitions,
                 std::int64_t block_bytes, std::int64_t sets, std::int64_t ways) {
    std::vector<std::uint64_t> blocks(references.size());
    std::transform(references.begin(), references.end(), blocks.begin(),
                   [&](const LineReference& reference) {
                       return reference.address / static_cast<std::uint64_t>(block_bytes);
                   });
    const std::vector<std::uint64_t> distances =
        stack_distances_within_sets(blocks, static_cast<std::uint64_t>(sets));

    LookedUp result{std::vector<RepetitionMisses>(repetitions), {}};
    for (std::size_t i = 0; i < references.size(); ++i) {
        RepetitionMisses& repetition = result.repetitions[references[i].repetition];
        ++repetition.references;
        if (distances[i] < static_cast<std::uint64_t>(ways)) {
            continue;
        }
        ++repetition.misses;
        repetition.cold_misses += distances[i] == kFirstReference ? 1 : 0;
        result.missed.push_back(references[i]);
    }
    return result;
}

}  // namespace

// Computed in doubles, which do not overflow.
void require_few_references(const AccessPattern& pattern, std::int64_t line_bytes) {
    // Largest number of lines that an element can straddle.
    const std::int64_t lines = (pattern.element_bytes + line_bytes - 2) / line_bytes + 1;
    const double most = static_cast<double>(lines) * static_cast<double>(pattern.elements) *
                        (stores_elements(pattern) ? 2.0 : 1.0) *
                        static_cast<double>(pattern.repetitions);
    // Aligned elements straddle no lines; most patterns are aligned.
    const bool aligned = line_bytes % pattern.element_bytes == 0 &&
                         pattern.stride_bytes % pattern.element_bytes == 0 &&
                         pattern.source_address % pattern.element_bytes == 0 &&
                         pattern.destination_address % pattern.element_bytes == 0;
    const double references = aligned ? most / static_cast<double>(lines) : most;
    if (references > static_cast<double>(kMostReferences)) {
        throw ModelError("elements is " + std::to_string(pattern.elements) + ", with up to " +
                             shortest_text(references) + " line references in all repetitions",
                         "up to " + std::to_string(kMostReferences) + " line references");
    }
}

HierarchyMisses misses_from_stack_distances(const MemoryHierarchyGeometry& geometry,
                                            const AccessPattern& pattern) {
    require_memory_hierarchy(geometry);
    require_access_pattern(pattern);
    const std::int64_t line_bytes = geometry.levels.front().line_bytes;
    require_few_references(pattern, line_bytes);

    HierarchyMisses misses;
    std::vector<LineReference> references =
        line_references(pattern, static_cast<std::uint64_t>(line_bytes));
    if (geometry.tlb.entries > 0) {
        misses.tlb = look_up(references, pattern.repetitions, geometry.tlb.page_bytes,
                             geometry.tlb.sets(), geometry.tlb.entries_in_a_set())
                         .repetitions;
    }
    for (const CacheLevelGeometry& level : geometry.levels) {
        LookedUp looked_up = look_up(references, pattern.repetitions, level.line_bytes,
                                     level.sets(), level.lines_in_a_set());
        misses.levels.push_back(std::move(looked_up.repetitions));
        references = std::move(looked_up.missed);
    }
    return misses;
}

}  // namespace weir::experiments::models
