#pragma once

#include "network/topology/topology_family.h"

namespace weir::network {

/// One switch that all nodes are at: any message takes an injection and an ejection.
[[nodiscard]] Topology crossbar_topology(std::int64_t nodes);
[[nodiscard]] const TopologyFamily& crossbar_family();

}  // namespace weir::network
