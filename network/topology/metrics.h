#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "network/topology/topology.h"

namespace weir::network {

/// Hops from a node to each node on a shortest path, by breadth-first search (Boost.Graph). A
/// node's distance to itself is 0 if it injects into a switch that ejects to it. Otherwise it is
/// that of the shortest path back, as through a butterfly's stages. An unreachable node has the
/// distance -1.
[[nodiscard]] std::vector<std::int32_t> hops_from(const Topology& topology, std::size_t node);

struct Distances {
    std::int32_t diameter = 0;        ///< longest distance between nodes, in hops
    std::int64_t hops_to_others = 0;  ///< sum of distances over ordered pairs of different nodes
    std::int64_t hops_to_itself = 0;  ///< sum of the nodes' distances to themselves
    double mean_to_others = 0.0;      ///< mean distance over ordered pairs of different nodes
    /// mean distance over all ordered pairs, as in LogP Section 5.1
    double mean_with_itself = 0.0;
};
/// Distances of all pairs. The network must have at least two nodes, and a path between each pair.
[[nodiscard]] Distances distances_of(const Topology& topology);

/// Numbers of a switch's channels that are hops.
struct Degrees {
    std::size_t least = 0;    ///< fewest channels out of a switch
    std::size_t largest = 0;  ///< most channels out of, or into, a switch
};
[[nodiscard]] Degrees degrees_of(const Topology& topology);

/// Number of channels that are hops, each direction counted.
[[nodiscard]] std::size_t hop_channels_of(const Topology& topology);

/// A cut of the nodes into halves; with an odd number of nodes, one half has one more. Its size is
/// the number of channels that separate the halves in one direction, the smaller of both. Only
/// channels that are hops count.
struct Bisection {
    std::int64_t channels = 0;
    std::vector<bool> in_first_half;  ///< by node: true in the first half
    /// True if it is proved that no other halves have fewer channels, so that this is the bisection
    /// width. Otherwise `channels` is that of the smallest cut tried, an upper bound of the width.
    bool is_exact = false;
    std::string source;
};
/// The bisection of a topology, by maximum flow (Boost.Graph's push-relabel) between the halves. A
/// topology with a standard cut is divided by this cut; throws std::logic_error if the maximum flow
/// differs from the cut's closed form. Other topologies have the smallest of several cuts: the
/// nodes halved by number, and the half nearest to one node against the rest. The second cut is
/// tried for at most `most_tries` nodes spread over the network.
[[nodiscard]] Bisection bisection_of(const Topology& topology, std::size_t most_tries = 16);

/// Minimum number of channels to cut so that no message passes from the first half to the second.
[[nodiscard]] std::int64_t channels_across(const Topology& topology,
                                           const std::vector<bool>& in_first_half);

}  // namespace weir::network
