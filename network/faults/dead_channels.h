#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "network/faults/fault_parameters.h"
#include "network/topology/topology.h"

namespace weir::network {

/// Channels that are dead from the start: those named and those drawn from the seed. Throws
/// PlanFault if a name is not that of a channel between routers. Throws PlanFault, too, if fewer
/// links than requested can be removed without disconnecting the network.
[[nodiscard]] std::vector<Channel> dead_channels_of(const FaultParameters& faults,
                                                    const Topology& topology, std::uint64_t seed);

/// Throws PlanFault if a list names a channel or a node that does not exist.
void check_places(const FaultParameters& faults, const Topology& topology);

}  // namespace weir::network
