#pragma once

#include <optional>
#include <vector>

#include "experiments/models/memory_logp/access_pattern.h"
#include "experiments/models/memory_logp/memory_hierarchy_geometry.h"

/// Memory logP's effective latency l, predicted from a hierarchy's shape and an access pattern:
/// what badly placed data add to a transfer, beyond the overhead o of the same transfer of
/// contiguous data.
///
/// Source: Cameron and Sun, "Memory logP" (2003), section 8. The average memory access time is
///     sum over j = 2..M of (1 - P_j) T_j,
/// with (1 - P_j) the share of references whose stack distance exceeds the level before it,
/// S_(j-1), and T_j what going on to level j costs. The expansion printed beside the sum also has a
/// term T_1, for the references themselves; they are in o (section 4), so it is left out here. l is
/// that sum for the pattern less that sum for contiguous data, since l is 0 for contiguous data by
/// section 5. It can come out below 0, where the contiguous arrays get into each other's way in a
/// set and the strided ones do not.
///
/// Nothing overlaps: every miss costs its full T. What is out of range is a ModelError.
namespace weir::experiments::models {

/// One cache level's, or the TLB's, part of l.
struct LevelLatency {
    double miss_cycles = 0.0;                          ///< T_(j+1), or the walk
    double first_repetition_misses_per_element = 0.0;  ///< into an empty hierarchy
    // In the steady state:
    double references_per_element = 0.0;         ///< that look this level up
    double misses_per_element = 0.0;             ///< of the pattern
    double contiguous_misses_per_element = 0.0;  ///< of the same transfer of contiguous data

    [[nodiscard]] double latency_cycles_per_element() const {
        return (misses_per_element - contiguous_misses_per_element) * miss_cycles;
    }
};

struct LatencyPrediction {
    std::vector<LevelLatency> levels;  ///< outwards
    std::optional<LevelLatency> tlb;   ///< where there is one

    /// l, for an element: the paper's word w_m.
    [[nodiscard]] double latency_cycles_per_element() const;
    /// The part of o that misses cause where nothing overlaps, for an element.
    [[nodiscard]] double contiguous_miss_cycles_per_element() const;
    /// All misses of the pattern in the steady state, for an element: o + l is these and what its
    /// references take where they hit.
    [[nodiscard]] double miss_cycles_per_element() const;
    /// All misses of the pattern's first repetition, for an element.
    [[nodiscard]] double first_repetition_miss_cycles_per_element() const;
};

/// The paper's own prediction, as far as it is told: fully associative levels, no TLB, no overlap,
/// and a stack distance curve fitted by hand to "cache and block size, data size and stride". The
/// fit is not printed. Here the curve is the one a repeated pass makes: an array read at stride d
/// enters a new line of B bytes with min(1, d/B) of its references; those have the whole footprint
/// (the lines of both arrays) as their stack distance, all others 0. A first repetition misses
/// every line. Ways, TLB, repetitions and addresses are not looked at.
[[nodiscard]] LatencyPrediction latency_from_fitted_curve(const MemoryHierarchyGeometry& geometry,
                                                          const AccessPattern& pattern);

/// Section 8 (and 9, 10) says of the paper's prediction of o + l on both machines: within +80% and
/// -60% of what was measured.
constexpr double kPublishedErrorAbove = 0.80;
constexpr double kPublishedErrorBelow = 0.60;

/// The same sum with exact hit rates: hierarchy_misses.h's, of the last repetition, with
/// associativity and TLB. A hierarchy of M cache levels repeats itself from repetition M + 1 on.
[[nodiscard]] LatencyPrediction latency_from_stack_distances(
    const MemoryHierarchyGeometry& geometry, const AccessPattern& pattern);

}  // namespace weir::experiments::models
