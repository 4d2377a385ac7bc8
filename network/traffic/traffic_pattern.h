#pragma once

#include <cstdint>
#include <memory>

#include "hw/random_stream.h"
#include "network/topology/topology.h"
#include "network/traffic/traffic_parameters.h"

namespace weir::network {

/// Where the packets of each node go. As in Dally and Towles ("Principles and Practices of
/// Interconnection Networks", Section 3.2), a node is a destination of its own where the pattern
/// says so: its packet goes into its switch and comes back from there.
///
/// With b bits in a node's number s, or digits s_x = coordinates on k places:
///   uniform         every node as likely, itself included
///   transpose       of nodes numbered row by row in a square, row and column change places
///   bit complement  d_i = not s_i
///   bit reverse     d_i = s_(b-1-i)
///   shuffle         d_i = s_(i-1 mod b)
///   tornado         d_x = s_x + ceil(k/2) - 1 mod k in each dimension
///   neighbour       d_x = s_x + 1 mod k in each dimension
///   hot spot        a share of the packets goes to one node, or to several, to each in proportion
///                   to its rate; the others are uniform
///   locality        every node at most l hops away in each dimension as likely, itself included;
///                   the edges of a mesh cut the span off (LoGPC Section 3.3)
class TrafficPattern {
  public:
    TrafficPattern() = default;
    TrafficPattern(const TrafficPattern&) = delete;
    TrafficPattern& operator=(const TrafficPattern&) = delete;
    virtual ~TrafficPattern() = default;

    /// Of the source's next packet.
    [[nodiscard]] virtual std::int32_t destination(std::int32_t source,
                                                   hw::RandomStream& stream) const = 0;
};

/// The pattern that the parameters name, but "trace", "recording" and "one_at_a_time". The topology
/// must stay. Throws TrafficFault where it has no meaning on it.
[[nodiscard]] std::unique_ptr<TrafficPattern> make_pattern(const TrafficParameters& parameters,
                                                           const Topology& topology);

}  // namespace weir::network
