#pragma once

#include <array>
#include <cstdint>
#include <utility>

namespace weir::experiments::bench {

/// Keys of [network] for the router of experiments/networks/referee.toml with its default pipeline,
/// which is BookSim's default: two virtual channels.
inline constexpr std::array<std::pair<const char*, std::int64_t>, 9> kPipelinedRouter{
    {{"virtual_channels", 2},
     {"buffer_flits", 6},
     {"hop_cycles", 2},
     {"routing_cycles", 1},
     {"vc_allocation_cycles", 1},
     {"switch_allocation_cycles", 1},
     {"injection_cycles", 3},
     {"ejection_cycles", 1},
     {"credit_cycles", 2}}};

}  // namespace weir::experiments::bench
