#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::experiments::records {

/// Utilisation of a physical channel: in the measurement phase of open-loop traffic, or in all
/// cycles of a kernel's run. For a kernel on a plain mesh only channels between routers are
/// recorded. In all other runs, channels to and from the nodes are included.
struct ChannelUse {
    std::string channel;       ///< sender and direction, for example "(7,0) +x"
    double utilisation = 0.0;  ///< share of the cycles in which a flit was on its link
};

/// Channels of a network, in the order of its topology.
using ChannelUses = std::vector<ChannelUse>;

/// True if all channels have names of channels between the routers of a grid: coordinates and a
/// direction, for example "(3,0,1) +x".
[[nodiscard]] inline bool are_between_routers(const ChannelUses& channels) {
    return std::all_of(channels.begin(), channels.end(), [](const ChannelUse& use) {
        const std::size_t end = use.channel.find(") ");
        return use.channel.starts_with('(') && end != std::string::npos &&
               end + 2 < use.channel.size() &&
               (use.channel[end + 2] == '+' || use.channel[end + 2] == '-');
    });
}

/// Occupancy of a node's two message queues over a whole run.
struct QueueUse {
    std::int32_t node = 0;
    double mean_input_bytes = 0.0;  ///< mean number of bytes over all cycles
    std::int64_t peak_input_bytes = 0;
    double mean_output_bytes = 0.0;
    std::int64_t peak_output_bytes = 0;
};
/// Occupancy of all nodes' queues, by node.
using QueueUses = std::vector<QueueUse>;

}  // namespace weir::experiments::records
