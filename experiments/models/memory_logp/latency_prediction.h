#pragma once

#include <optional>
#include <vector>

#include "experiments/models/memory_logp/access_pattern.h"
#include "experiments/models/memory_logp/memory_hierarchy_geometry.h"

/// Memory logP's effective latency l, predicted from a hierarchy's geometry and an access pattern.
/// l is the time that non-contiguous data add to a transfer, beyond the overhead o of contiguous
/// data.
///
/// Source: Cameron and Sun, "Memory logP" (2003), section 8. The average memory access time is
///     sum over j = 2..M of (1 - P_j) T_j,
/// with (1 - P_j) the share of references whose stack distance exceeds S_(j-1), the size of the
/// level before. T_j is the cost of access to level j. The expansion printed beside the sum also
/// has a term T_1 for the references themselves. o includes the time of these references (section
/// 4), so T_1 is left out here. l is the pattern's sum less that of contiguous data, since l is 0
/// for contiguous data by section 5. The difference l can be negative if contiguous arrays conflict
/// in a set and the strided ones do not.
///
/// Nothing overlaps: every miss costs its full T. Inputs out of range are a ModelError.
namespace weir::experiments::models {

/// Part of l due to one cache level or the TLB.
struct LevelLatency {
    double miss_cycles = 0.0;  ///< T_(j+1), or a TLB walk
    /// Misses in the first repetition, which starts with an empty hierarchy.
    double first_repetition_misses_per_element = 0.0;
    // Numbers of the steady state:
    double references_per_element = 0.0;         ///< lookups in this level
    double misses_per_element = 0.0;             ///< misses of the pattern
    double contiguous_misses_per_element = 0.0;  ///< misses of the same transfer of contiguous data

    [[nodiscard]] double latency_cycles_per_element() const {
        return (misses_per_element - contiguous_misses_per_element) * miss_cycles;
    }
};

struct LatencyPrediction {
    std::vector<LevelLatency> levels;  ///< parts of l by cache level, first level first
    std::optional<LevelLatency> tlb;   ///< part of l due to the TLB; absent without a TLB

    /// l for an element, the paper's word w_m.
    [[nodiscard]] double latency_cycles_per_element() const;
    /// Part of o that misses cause without overlap, per element.
    [[nodiscard]] double contiguous_miss_cycles_per_element() const;
    /// Cycles of all misses of the pattern in the steady state, per element. o + l is this plus the
    /// time of references that hit.
    [[nodiscard]] double miss_cycles_per_element() const;
    /// Cycles of all misses in the pattern's first repetition, per element.
    [[nodiscard]] double first_repetition_miss_cycles_per_element() const;
};

/// The paper's own prediction, as far as it is described. The prediction assumes fully associative
/// levels, no TLB and no overlap. A stack distance curve is fitted by hand to "cache and block
/// size, data size and stride". The paper does not print the fit. Here the curve follows from
/// repeated passes over the data. An array read at stride d enters a new line of B bytes with
/// min(1, d/B) of its references. These references have the whole footprint (the lines of both
/// arrays) as their stack distance, all others 0. A first repetition misses every line. Ways, TLB,
/// repetitions and addresses have no effect.
[[nodiscard]] LatencyPrediction latency_from_fitted_curve(const MemoryHierarchyGeometry& geometry,
                                                          const AccessPattern& pattern);

/// Error of the paper's prediction of o + l on both machines by sections 8, 9 and 10: within +80%
/// and -60% of the measurement.
constexpr double kPublishedErrorAbove = 0.80;
constexpr double kPublishedErrorBelow = 0.60;

/// l by the same sum with exact hit rates, with associativity and TLB: those of hierarchy_misses.h
/// in the last repetition. The misses of M cache levels repeat from repetition M + 1 on.
[[nodiscard]] LatencyPrediction latency_from_stack_distances(
    const MemoryHierarchyGeometry& geometry, const AccessPattern& pattern);

}  // namespace weir::experiments::models
