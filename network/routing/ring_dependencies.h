#pragma once

#include "network/routing/ordered_edges.h"
#include "network/routing/routing.h"

namespace weir::network {

/// Channel dependencies of a dimension-order routing, composed from those of single rings, so that
/// a large lattice takes time in proportion to its size.
struct RingDependencies {
    EdgeSet edges;            ///< between numbers of virtual channels, as RouteWalk has them
    bool has_choice = false;  ///< whether any message has several outputs
};

/// The routing must have a dimension_order(). `channels` are those of its topology.
[[nodiscard]] RingDependencies ring_dependencies(const Routing& routing,
                                                 const ChannelIndex& channels);

}  // namespace weir::network
