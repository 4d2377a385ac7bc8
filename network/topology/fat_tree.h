#pragma once

#include <cstdint>
#include <vector>

#include "network/topology/topology_family.h"

namespace weir::network {

/// The k-ary n-tree: nodes are the leaves of a radix-ary tree of the fewest levels that has room
/// for them, and every inner place of the tree is as many switches as it takes for a channel up for
/// each channel down. Switches have radix ports down (0 to radix - 1, direction "down p") and radix
/// up (radix to 2 radix - 1, "up p"; none in use at the top). Switch w of level l leads up to the
/// switches of level l + 1 whose number differs from w in digit l alone; node i hangs on port
/// i mod radix of switch i / radix of level 0. In a partial tree, switches with no node below are
/// left out, and the ports to them unused.
///
/// A tree may be thinner than that: `ups` are the channels up of a switch of each level from the
/// leaves on, at most radix, the last also of all levels above; 0, or none: radix. A subtree's top
/// then has as many switches as the product of the ups below it, and switch w of a subtree leads up
/// to those whose number there is w modulo its own top's.
///
/// A hop is a channel, those of the leaves too (LogP Section 5.1: 2 log4 P - 2/3 for the 4-ary
/// tree, whose print has 4 log4 P but whose value, 9.33 for 1,024, is this). A message to the
/// sender itself takes none.
///
/// `radix` and `nodes` at least 2.
[[nodiscard]] Topology fat_tree_topology(int radix, std::int32_t nodes,
                                         const std::vector<std::int64_t>& ups = {});
[[nodiscard]] const TopologyFamily& fat_tree_family();

}  // namespace weir::network
