#include "experiments/models/memory_logp/latency_prediction.h"

#include <algorithm>

#include "experiments/models/memory_logp/hierarchy_misses.h"

namespace weir::experiments::models {

namespace {

/// Lines of an array that a pass enters: n min(1, d/B), and never less than one.
double lines_entered(const AccessPattern& pattern, std::int64_t stride_bytes,
                     std::int64_t line_bytes) {
    const double share =
        std::min(1.0, static_cast<double>(stride_bytes) / static_cast<double>(line_bytes));
    return std::max(1.0, static_cast<double>(pattern.elements) * share);
}

/// Lines of both arrays.
double footprint_lines(const AccessPattern& pattern, std::int64_t line_bytes) {
    double lines = lines_entered(pattern, source_stride_bytes(pattern), line_bytes);
    if (stores_elements(pattern)) {
        lines += lines_entered(pattern, destination_stride_bytes(pattern), line_bytes);
    }
    return lines;
}

/// (1 - P_(j+1)) for an element: the integral over the fitted curve beyond S_j.
double fitted_misses_per_element(const CacheLevelGeometry& level, const AccessPattern& pattern) {
    const double lines = footprint_lines(pattern, level.line_bytes);
    return lines <= static_cast<double>(level.lines())
               ? 0.0
               : lines / static_cast<double>(pattern.elements);
}

double per_element(std::int64_t count, const AccessPattern& pattern) {
    return static_cast<double>(count) / static_cast<double>(pattern.elements);
}

LevelLatency level_latency(double miss_cycles, const std::vector<RepetitionMisses>& strided,
                           const std::vector<RepetitionMisses>& ideal,
                           const AccessPattern& pattern) {
    return {miss_cycles, per_element(strided.front().misses, pattern),
            per_element(strided.back().references, pattern),
            per_element(strided.back().misses, pattern), per_element(ideal.back().misses, pattern)};
}

}  // namespace

double LatencyPrediction::latency_cycles_per_element() const {
    double cycles = tlb ? tlb->latency_cycles_per_element() : 0.0;
    for (const LevelLatency& level : levels) {
        cycles += level.latency_cycles_per_element();
    }
    return cycles;
}

double LatencyPrediction::contiguous_miss_cycles_per_element() const {
    double cycles = tlb ? tlb->contiguous_misses_per_element * tlb->miss_cycles : 0.0;
    for (const LevelLatency& level : levels) {
        cycles += level.contiguous_misses_per_element * level.miss_cycles;
    }
    return cycles;
}

double LatencyPrediction::miss_cycles_per_element() const {
    double cycles = tlb ? tlb->misses_per_element * tlb->miss_cycles : 0.0;
    for (const LevelLatency& level : levels) {
        cycles += level.misses_per_element * level.miss_cycles;
    }
    return cycles;
}

double LatencyPrediction::first_repetition_miss_cycles_per_element() const {
    double cycles = tlb ? tlb->first_repetition_misses_per_element * tlb->miss_cycles : 0.0;
    for (const LevelLatency& level : levels) {
        cycles += level.first_repetition_misses_per_element * level.miss_cycles;
    }
    return cycles;
}

LatencyPrediction latency_from_fitted_curve(const MemoryHierarchyGeometry& geometry,
                                            const AccessPattern& pattern) {
    require_memory_hierarchy(geometry);
    require_access_pattern(pattern);
    LatencyPrediction prediction;
    double references_per_element = stores_elements(pattern) ? 2.0 : 1.0;
    for (const CacheLevelGeometry& level : geometry.levels) {
        prediction.levels.push_back(
            {level.miss_cycles,
             footprint_lines(pattern, level.line_bytes) / static_cast<double>(pattern.elements),
             references_per_element, fitted_misses_per_element(level, pattern),
             fitted_misses_per_element(level, contiguous(pattern))});
        references_per_element = prediction.levels.back().misses_per_element;
    }
    return prediction;
}

LatencyPrediction latency_from_stack_distances(const MemoryHierarchyGeometry& geometry,
                                               const AccessPattern& pattern) {
    const HierarchyMisses strided = misses_from_stack_distances(geometry, pattern);
    const HierarchyMisses ideal = misses_from_stack_distances(geometry, contiguous(pattern));
    LatencyPrediction prediction;
    for (std::size_t i = 0; i < geometry.levels.size(); ++i) {
        prediction.levels.push_back(level_latency(geometry.levels[i].miss_cycles, strided.levels[i],
                                                  ideal.levels[i], pattern));
    }
    if (!strided.tlb.empty()) {
        prediction.tlb = level_latency(geometry.tlb.walk_cycles, strided.tlb, ideal.tlb, pattern);
    }
    return prediction;
}

}  // namespace weir::experiments::models
