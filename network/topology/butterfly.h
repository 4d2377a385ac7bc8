#pragma once

#include <memory>

#include "network/topology/topology_family.h"

namespace weir::network {

/// The k-ary n-fly: radix^stages nodes, `stages` stages of radix^(stages - 1) switches, each with
/// `radix` input and output ports; all channels lead onwards. It has radix^stages rows: node i
/// injects into row i of stage 0, and what leaves the last stage in row i is ejected to node i, so
/// that another switch injects for a node than ejects to it. A switch of stage s has the rows that
/// differ in digit stages - 1 - s alone, that is output p sets this digit to p (direction "to p"),
/// and the destination's digits, the first of them first, are the outputs to take.
///
/// A hop is a switch passed (LogP Section 5.1: log2 P, whatever the pair): every channel but the
/// injection counts. A message to the sender itself takes as many.
///
/// `radix` and `stages` at least 2 and 1.
[[nodiscard]] Topology butterfly_topology(int radix, int stages);
[[nodiscard]] const TopologyFamily& butterfly_family();

/// The destination's digits are the outputs, the first digit of stage 0.
[[nodiscard]] std::unique_ptr<Routing> destination_tag_routing(const Topology& butterfly);

}  // namespace weir::network
