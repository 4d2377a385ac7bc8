#pragma once

#include <cstdint>
#include <memory>

#include "hw/random_stream.h"
#include "network/topology/topology.h"
#include "network/traffic/traffic_parameters.h"

namespace weir::network {

/// Destinations of each node's packets. As in Dally and Towles ("Principles and Practices of
/// Interconnection Networks", Section 3.2), a pattern may send a node's packet to the node itself.
/// The packet then goes into its switch and comes back from there.
///
/// With b bits in a node's number s, or digits s_x = coordinates of k positions:
///   uniform         each node equally likely, the sender included
///   transpose       nodes numbered row by row in a square: exchanges row and column
///   bit complement  d_i = not s_i
///   bit reverse     d_i = s_(b-1-i)
///   shuffle         d_i = s_(i-1 mod b)
///   tornado         d_x = s_x + ceil(k/2) - 1 mod k in each dimension
///   neighbour       d_x = s_x + 1 mod k in each dimension
///   hot spot        a share of the packets goes to one node, or to several in
///                   proportion to their rates; the others are uniform
///   locality        each node at most l hops away in each dimension equally likely,
///                   the sender included; a mesh's edges cut the range off
///                   (LoGPC Section 3.3)
///   next group      each node of the next group of a dragonfly equally likely, around the
///                   end (Kim, Dally, Scott and Abts 2008, Section 3: worst case)
class TrafficPattern {
  public:
    TrafficPattern() = default;
    TrafficPattern(const TrafficPattern&) = delete;
    TrafficPattern& operator=(const TrafficPattern&) = delete;
    virtual ~TrafficPattern() = default;

    /// Destination of the source's next packet.
    [[nodiscard]] virtual std::int32_t destination(std::int32_t source,
                                                   hw::RandomStream& stream) const = 0;
};

/// The pattern of the parameters, except "table", "trace", "recording" and "one_at_a_time".
/// `topology` must outlive the pattern. Throws TrafficFault if the topology does not allow the
/// pattern.
[[nodiscard]] std::unique_ptr<TrafficPattern> make_pattern(const TrafficParameters& parameters,
                                                           const Topology& topology);

}  // namespace weir::network
