#pragma once

#include <cstdint>

#include "experiments/bench/model_speed.h"

/// Timed accesses through two levels of cache, a TLM call each, against the plain functional caches
/// of CacheHierarchy's differential test on the same addresses: a Pentium III's 16 and 256 kB in
/// front of 1 MB, half of the accesses in a place that the first level holds.
namespace weir::experiments::bench {

inline constexpr std::int64_t kCacheAccesses = 1'000'000;

/// Of kCacheAccesses. std::runtime_error where hits or loaded bytes differ.
[[nodiscard]] ModelSpeed measure_caches(int repetitions);

/// What is counted under valgrind: so many accesses of the one or the other.
void access_caches(std::int64_t accesses);
void access_functional_caches(std::int64_t accesses);

}  // namespace weir::experiments::bench
