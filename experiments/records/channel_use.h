#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::experiments::records {

/// How busy a physical channel was: in the measurement phase of open-loop traffic, or in all cycles
/// of a kernel's run.
struct ChannelUse {
    std::string channel;       ///< "(7,0) +x": the sender and the direction
    double utilisation = 0.0;  ///< share of the cycles in which a flit was on its link
};

/// Of a network, in the order of the topology's channels.
using ChannelUses = std::vector<ChannelUse>;

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
