#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::experiments::records {

/// How busy a physical channel was: in the measurement phase of open-loop traffic, or in all cycles
/// of a kernel's run. Of traffic, and of networks with virtual channels or no grid, channels to and
/// from the nodes are among them; of a kernel's plain mesh those between routers alone.
struct ChannelUse {
    std::string channel;       ///< "(7,0) +x": the sender and the direction
    double utilisation = 0.0;  ///< share of the cycles in which a flit was on its link
};

/// Of a network, in the order of the topology's channels.
using ChannelUses = std::vector<ChannelUse>;

/// Whether all have the name of a channel between the routers of a grid: a place and a direction,
/// "(3,0,1) +x".
[[nodiscard]] inline bool are_between_routers(const ChannelUses& channels) {
    return std::all_of(channels.begin(), channels.end(), [](const ChannelUse& use) {
        const std::size_t end = use.channel.find(") ");
        return use.channel.starts_with('(') && end != std::string::npos &&
               end + 2 < use.channel.size() &&
               (use.channel[end + 2] == '+' || use.channel[end + 2] == '-');
    });
}

/// How full a node's two queues were over a whole run.
struct QueueUse {
    std::int32_t node = 0;
    double mean_input_bytes = 0.0;  ///< over all cycles
    std::int64_t peak_input_bytes = 0;
    double mean_output_bytes = 0.0;
    std::int64_t peak_output_bytes = 0;
};
/// By node.
using QueueUses = std::vector<QueueUse>;

}  // namespace weir::experiments::records
