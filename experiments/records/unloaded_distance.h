#pragma once

#include <cstdint>
#include <vector>

namespace weir::experiments::records {

/// The trips over a distance through an unloaded network: one packet at a time, alone in it.
struct UnloadedDistance {
    std::int32_t hops = 0;     ///< of a shortest way
    std::int64_t pairs = 0;    ///< ordered ones of different nodes, of all the network's
    std::int64_t packets = 0;  ///< that were measured
    std::int64_t least_cycles = 0;
    double mean_cycles = 0.0;
    std::int64_t longest_cycles = 0;
};
/// From the shortest distance on.
using UnloadedDistances = std::vector<UnloadedDistance>;

}  // namespace weir::experiments::records
