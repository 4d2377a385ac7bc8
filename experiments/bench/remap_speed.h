#pragma once

#include <vector>

#include "experiments/bench/benchmark.h"

namespace weir::experiments::bench {

/// A machine of behavioural cores that runs the synchronous remap: beside the plain loop of its
/// network, fed with what the machine has launched; what such a machine takes before it begins; and
/// what its trace takes, beside the same rows as they lie in the host's memory.
[[nodiscard]] std::vector<Benchmark> remap_benchmarks();

}  // namespace weir::experiments::bench
