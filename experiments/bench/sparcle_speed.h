#pragma once

#include <vector>

#include "experiments/bench/benchmark.h"

namespace weir::experiments::bench {

/// Instructions that 32 Sparcle cores execute, each in its cycles: with caches, against one integer
/// unit alone that executes the same program in plain memory and without time; without caches,
/// against the same; and with what they work on in shared memory at their own node, against the
/// same in private memory.
[[nodiscard]] std::vector<Benchmark> sparcle_benchmarks();

}  // namespace weir::experiments::bench
