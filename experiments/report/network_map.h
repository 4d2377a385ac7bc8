#pragma once

#include <string>

#include "experiments/report/figure.h"
#include "experiments/run/channel_use.h"
#include "experiments/run/network_use.h"

namespace weir::experiments::report {

/// How busy a network's channels and how full its nodes' input queues were.
struct NetworkUse {
    std::string title;
    std::string caption;
    run::ChannelUses channels;
    run::QueueUses queues;  ///< empty where nodes have no queues with an end
    /// What the darkest colour stands for, so that maps of one experiment can be compared; 0: the
    /// most of this map.
    double most_utilisation = 0.0;
    double most_bytes = 0.0;
};

/// On a mesh or torus of two dimensions a map, x to the right and y downwards: an arrow a channel,
/// and a square a node with the mean and the greatest bytes in its input queue. On other networks
/// channels and nodes in a row, the busiest first.
[[nodiscard]] Figure network_map(const NetworkUse& use);

}  // namespace weir::experiments::report
