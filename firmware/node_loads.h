#pragma once

#include <algorithm>
#include <span>

namespace weir::firmware {

/// Work and messages of a node in a whole run.
struct NodeLoad {
    double operations = 0.0;  ///< in the kernel's own unit, such as butterflies or non-zeros
    double messages = 0.0;    ///< number of messages sent and received

    bool operator==(const NodeLoad&) const = default;
};

/// Loads of a program's nodes, counted from its data without a run.
struct NodeLoads {
    NodeLoad mean;
    NodeLoad most;  ///< largest value of each quantity on any node

    bool operator==(const NodeLoads&) const = default;
};

/// Mean and largest load of at least one node.
[[nodiscard]] inline NodeLoads node_loads_of(std::span<const NodeLoad> nodes) {
    NodeLoads loads;
    for (const NodeLoad& node : nodes) {
        loads.mean.operations += node.operations / static_cast<double>(nodes.size());
        loads.mean.messages += node.messages / static_cast<double>(nodes.size());
        loads.most.operations = std::max(loads.most.operations, node.operations);
        loads.most.messages = std::max(loads.most.messages, node.messages);
    }
    return loads;
}

}  // namespace weir::firmware
