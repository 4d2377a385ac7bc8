#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "network/topology/topology.h"

namespace weir::network {

/// Hops from a node to each node on a shortest way, by breadth-first search (Boost.Graph). To
/// itself: none where its own switch sends back to it, else those of the way around (a butterfly's
/// stages). A node that can't be reached has -1.
[[nodiscard]] std::vector<std::int32_t> hops_from(const Topology& topology, std::size_t node);

struct Distances {
    std::int32_t diameter = 0;        ///< hops, between different nodes
    std::int64_t hops_to_others = 0;  ///< sum over ordered pairs of different nodes
    std::int64_t hops_to_itself = 0;  ///< sum over nodes
    double mean_to_others = 0.0;      ///< over ordered pairs of different nodes
    double mean_with_itself = 0.0;    ///< over all ordered pairs, as LogP Section 5.1 has it
};
/// Of all pairs; at least two nodes, all with ways to each other.
[[nodiscard]] Distances distances_of(const Topology& topology);

/// Channels out of and into a switch; those that are no hops don't count.
struct Degrees {
    std::size_t least = 0;    ///< of the switch with the fewest channels out
    std::size_t largest = 0;  ///< of the one with the most channels out or in
};
[[nodiscard]] Degrees degrees_of(const Topology& topology);

/// All channels that are hops, one a direction.
[[nodiscard]] std::size_t hop_channels_of(const Topology& topology);

/// A cut of the nodes into halves (with an odd number, one half has one more): the fewest channels,
/// each way, that a message from one half to the other crosses. Channels that are no hops don't
/// count.
struct Bisection {
    std::int64_t channels = 0;
    std::vector<bool> in_first_half;  ///< of each node
    /// Whether it is proved that no other halves have fewer: that it is the bisection width. Else
    /// it is the least cut of the halves tried, an upper bound.
    bool is_exact = false;
    std::string source;
};
/// The maximum flow (Boost.Graph's push-relabel) between the halves of the topology's standard cut,
/// which is then what is proved (an assertion of ours: std::logic_error). Without a standard cut:
/// between the nodes' numbers' halves, and between the nodes nearest to a node and the others, for
/// at most `most_tries` nodes spread over the network; the least of them.
[[nodiscard]] Bisection bisection_of(const Topology& topology, std::size_t most_tries = 16);

/// Channels that have to be cut so that no message comes from the first half into the second.
[[nodiscard]] std::int64_t channels_across(const Topology& topology,
                                           const std::vector<bool>& in_first_half);

}  // namespace weir::network
