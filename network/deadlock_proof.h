#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace weir::network {

/// The result of ChannelDependencies for a plan's routing.
struct DeadlockProof {
    std::string topology;  ///< "torus 8 x 4"
    int virtual_channels = 1;
    std::size_t dependencies = 0;
    /// Virtual channels each of which waits for the next, the last for the first; empty when the
    /// routing is proved free of deadlock between end points that take in what arrives.
    std::vector<std::string> cycle;
    std::string stuck_at;  ///< where an adaptive routing's escapes lead nowhere
    /// Whether messages of one node to another stay in order, as all take the same channels.
    bool keeps_order = true;

    [[nodiscard]] bool is_free_of_deadlock() const { return cycle.empty() && stuck_at.empty(); }
    /// The cycle, channel by channel: "a waits for b, b for c, c for a".
    [[nodiscard]] std::string text() const;
};

}  // namespace weir::network
