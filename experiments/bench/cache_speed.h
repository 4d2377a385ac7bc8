#pragma once

#include <vector>

#include "experiments/bench/benchmark.h"

namespace weir::experiments::bench {

/// Timed accesses through two levels of cache, a TLM call each, against the plain functional caches
/// of CacheHierarchy's differential test on the same addresses: a Pentium III's 16 and 256 kB in
/// front of 1 MB, half of the accesses in a place that the first level holds.
[[nodiscard]] std::vector<Benchmark> cache_benchmarks();

}  // namespace weir::experiments::bench
