#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "hw/per_node.h"
#include "hw/units.h"
#include "network/topology/topology.h"
#include "network/traffic/packet_source.h"
#include "network/traffic/traffic_parameters.h"
#include "network/traffic/traffic_pattern.h"

namespace weir::network {

/// The packet sources of a network's nodes, as the parameters say: random ones, or from a file.
class TrafficSources {
  public:
    /// Both must stay. `longest_packet`: of a file, where buffers must hold whole packets. Throws
    /// TrafficFault.
    TrafficSources(const TrafficParameters& parameters, const Topology& topology,
                   hw::Bytes flit_bytes, std::optional<hw::Flits> longest_packet = std::nullopt);

    /// The sources keep the pattern, which must stay.
    [[nodiscard]] std::unique_ptr<PacketSource> make(hw::NodeId node, std::uint64_t seed) const;

  private:
    const TrafficParameters& parameters_;
    std::unique_ptr<TrafficPattern> pattern_;             // or, from a file:
    hw::PerNode<std::vector<GeneratedPacket>> recorded_;  // each node's
};

}  // namespace weir::network
