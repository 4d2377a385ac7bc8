#pragma once

#include "network/topology/topology_family.h"

namespace weir::network {

/// One switch connected to all nodes: each route is an injection and an ejection channel.
[[nodiscard]] Topology crossbar_topology(std::int64_t nodes);
[[nodiscard]] const TopologyFamily& crossbar_family();

}  // namespace weir::network
