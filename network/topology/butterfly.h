#pragma once

#include <memory>

#include "network/topology/topology_family.h"

namespace weir::network {

/// The k-ary n-fly: radix^stages nodes, `stages` stages of radix^(stages - 1) switches, each with
/// `radix` input and output ports. All channels lead to the next stage.
///
/// There are radix^stages rows. Node i injects into row i of stage 0; flits that leave the last
/// stage in row i are ejected to node i. So a node is injected by one switch and ejected by
/// another. A switch of stage s has the rows that differ in digit stages - 1 - s only. Output p
/// sets this digit to p (direction "to p"). A route takes the outputs given by the destination's
/// digits, highest digit first.
///
/// A hop is a switch passed (LogP Section 5.1: log2 P for all pairs): each channel except the
/// injection counts. A message to the sender itself takes as many hops.
///
/// Requires `radix` of at least 2, and `stages` of at least 1.
[[nodiscard]] Topology butterfly_topology(int radix, int stages);
[[nodiscard]] const TopologyFamily& butterfly_family();

/// Destination-tag routing: the destination's digits are the outputs, from stage 0 on, highest
/// digit first.
[[nodiscard]] std::unique_ptr<Routing> destination_tag_routing(const Topology& butterfly);

}  // namespace weir::network
