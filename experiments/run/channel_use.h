#pragma once

#include <string>
#include <vector>

namespace weir::experiments::run {

/// How busy a physical channel was: in the measurement phase of open-loop traffic, or in all cycles
/// of a kernel's run.
struct ChannelUse {
    std::string channel;       ///< "(7,0) +x": the sender and the direction
    double utilisation = 0.0;  ///< share of the cycles in which a flit was on its link
};

/// Of a network, in the order of the topology's channels.
using ChannelUses = std::vector<ChannelUse>;

}  // namespace weir::experiments::run
