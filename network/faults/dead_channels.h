#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "network/faults/fault_parameters.h"
#include "network/topology/topology.h"

namespace weir::network {

/// The channels that are dead from the start, those named and those drawn from the seed. Throws
/// PlanFault for a name that is no channel's between routers, and where fewer links than are asked
/// for can be missed.
[[nodiscard]] std::vector<Channel> dead_channels_of(const FaultParameters& faults,
                                                    const Topology& topology, std::uint64_t seed);

/// Throws PlanFault where a list names a channel or a node that there is not.
void check_places(const FaultParameters& faults, const Topology& topology);

}  // namespace weir::network
