#pragma once

#include <cstdint>

namespace weir::network {

/// All pairs are looked at, for their distances.
inline constexpr std::int64_t kMostTopologyNodes = 16'384;

}  // namespace weir::network
