#pragma once

#include <vector>

#include "experiments/bench/benchmark.h"

namespace weir::experiments::bench {

/// The network alone under uniform random traffic of 8-flit packets: meshes by the worm beside the
/// plain loop, which has to deliver the same in the same cycles; and virtual channel routers with
/// the pipeline and the credits of BookSim's default, beside the plain loop on the same traffic,
/// which has no virtual channels. A router's cost is set beside that of the 8 x 8 mesh with the
/// same share of its bisection.
///
/// The bisection of a k x k mesh carries k flits a cycle each way, and a quarter of uniform traffic
/// crosses it each way: its capacity is 4/k flits a node and cycle.
[[nodiscard]] std::vector<Benchmark> network_benchmarks();

}  // namespace weir::experiments::bench
