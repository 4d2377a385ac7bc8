#pragma once

#include <cstdint>

namespace weir::network {

/// Largest number of nodes; limited, since distances are computed for all pairs of nodes.
inline constexpr std::int64_t kMostTopologyNodes = 16'384;

}  // namespace weir::network
