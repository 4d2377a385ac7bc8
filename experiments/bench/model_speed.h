#pragma once

#include <vector>

#include "experiments/bench/benchmark.h"

namespace weir::experiments::bench {

/// A thousand points of LoPC's homogeneous model, W from 0 to 4995, against a loop that puts R into
/// the right side of its equations until it stays; and LoPC's general model of 1,024 nodes with a
/// dense V, against the two products of V with a vector that each of its iterations needs, and
/// nothing else.
[[nodiscard]] std::vector<Benchmark> model_benchmarks();

}  // namespace weir::experiments::bench
