#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace weir::network {

/// Deadlock analysis of a plan's routing (ChannelDependencies).
struct DeadlockProof {
    std::string topology;  ///< topology's title, for example "torus 8 x 4"
    int virtual_channels = 1;
    std::size_t dependencies = 0;
    /// A cycle of virtual channels, each of which waits for the next, and the last for the first;
    /// empty if the dependency graph is acyclic.
    std::vector<std::string> cycle;
    /// virtual channel and destination from which the escape channels do not lead on; else empty
    std::string stuck_at;
    /// True if messages between two nodes stay in order, since all take the same channels.
    bool keeps_order = true;

    /// True if the routing is proved deadlock-free, provided that the nodes consume arriving
    /// messages.
    [[nodiscard]] bool is_free_of_deadlock() const { return cycle.empty() && stuck_at.empty(); }
    /// The cycle, channel by channel: "a waits for b, b for c, c for a".
    [[nodiscard]] std::string text() const;
};

}  // namespace weir::network
