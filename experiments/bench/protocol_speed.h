#pragma once

#include <vector>

#include "experiments/bench/benchmark.h"

namespace weir::experiments::bench {

/// The coherence protocol: 32 nodes read lines of all homes at random, and store to lines that no
/// other node uses, far more of them than a cache holds. A step is what a home or a cache does when
/// a packet comes, by the protocol's tables. Beside it stand the same accesses by the same tables
/// on arrays, one at a time and without time, network or data. The misses have to be as many.
[[nodiscard]] std::vector<Benchmark> protocol_benchmarks();

}  // namespace weir::experiments::bench
