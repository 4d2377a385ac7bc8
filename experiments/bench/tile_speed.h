#pragma once

#include <vector>

#include "experiments/bench/benchmark.h"

namespace weir::experiments::bench {

/// One machine on several cores of the host: the synchronous remap on 4,096 nodes in one tile and
/// in two, and what more cores would do.
[[nodiscard]] std::vector<Benchmark> tile_benchmarks();

}  // namespace weir::experiments::bench
