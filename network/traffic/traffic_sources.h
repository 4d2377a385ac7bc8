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
#include "network/traffic/traffic_table.h"

namespace weir::network {

/// The packet sources of a network's nodes: random sources, or rates or packets from a file, by the
/// parameters.
class TrafficSources {
  public:
    /// `parameters` and `topology` must outlive this object. `longest_packet` limits the packets of
    /// a file, if buffers must hold whole packets. Throws TrafficFault for traffic that the network
    /// does not allow, and for a file with a fault.
    TrafficSources(const TrafficParameters& parameters, const Topology& topology,
                   hw::Bytes flit_bytes, std::optional<hw::Flits> longest_packet = std::nullopt);

    /// Makes a node's source. The source refers to this object's pattern, and must not outlive it.
    [[nodiscard]] std::unique_ptr<PacketSource> make(hw::NodeId node, std::uint64_t seed) const;

  private:
    const TrafficParameters& parameters_;
    std::unique_ptr<TrafficPattern> pattern_;    // null if packets or rates come from a file
    hw::PerNode<std::vector<TableRate>> rates_;  // rates from a file
    hw::PerNode<std::vector<GeneratedPacket>> recorded_;  // packets from a file
};

}  // namespace weir::network
