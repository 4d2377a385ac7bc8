#pragma once

#include "network/routing/ordered_edges.h"
#include "network/routing/routing.h"

namespace weir::network {

/// Channel dependencies of a routing in two phases, composed from those of a single phase. To
/// follow the routes of each pair of nodes by each random node would take too long. `phase` is
/// Routing::of_a_phase(), `of_a_phase` has its dependencies, and `channels` are those of its
/// topology.
///
/// A message goes on to the second phase at the router of its random node, or at its first router.
/// All other dependencies are within a phase. The routes of ROMM are some of those composed here.
[[nodiscard]] EdgeSet phase_dependencies(const Routing& phase, const EdgeSet& of_a_phase,
                                         const ChannelIndex& channels);

}  // namespace weir::network
