#pragma once

#include <cstdint>
#include <vector>

namespace weir::experiments::records {

/// Latencies over one distance in an unloaded network: one packet at a time.
struct UnloadedDistance {
    std::int32_t hops = 0;  ///< length of a shortest route
    /// Ordered pairs of different nodes at this distance in the whole network.
    std::int64_t pairs = 0;
    std::int64_t packets = 0;  ///< number of measured packets over this distance
    std::int64_t least_cycles = 0;
    double mean_cycles = 0.0;
    std::int64_t longest_cycles = 0;
};
/// Latencies over all distances, in increasing order of distance.
using UnloadedDistances = std::vector<UnloadedDistance>;

}  // namespace weir::experiments::records
