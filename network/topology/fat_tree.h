#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "network/topology/topology_family.h"

namespace weir::network {

class RoutingKind;

/// The k-ary n-tree: nodes are the leaves of a radix-ary tree with the fewest levels that hold
/// them. Each inner position of the tree is a group of switches, as many as give one up channel for
/// each down channel. Switches have `radix`
/// ports down: 0 to radix - 1, "down p". They have `radix` ports up: radix to 2 radix - 1, "up p";
/// none of these is used at the top.
///
/// Switch w of level l leads up to the switches of level l + 1 whose number differs from w in digit
/// l only. Node i is at port i mod radix of switch i / radix of level 0. A partial tree has no
/// switches without a node below; the ports to these are unused.
///
/// A thinner tree has fewer up channels. `ups` are the up channels per switch of each level from
/// the leaves on, at most `radix`; the last value holds for all higher levels. 0 or an empty list
/// means `radix`. The number of switches at a subtree's top is the product of the `ups` of the
/// levels below. Let n be this number for a
/// switch's own subtree. Switch w of the subtree leads up to the switches whose number at the top
/// of theirs is w modulo n.
///
/// A hop is a channel, channels of the leaves included. LogP Section 5.1 prints 4 log4 P - 2/3 for
/// the 4-ary tree. Its value for 1,024 processors, 9.33, is that of 2 log4 P - 2/3, as here. A
/// message to the sender itself takes no hop.
///
/// Requires `radix` and `nodes` of at least 2.
[[nodiscard]] Topology fat_tree_topology(int radix, std::int32_t nodes,
                                         const std::vector<std::int64_t>& ups = {});
[[nodiscard]] const TopologyFamily& fat_tree_family();

/// Up*/down* routing on a fat tree with a random way up. A message's lot names a switch at the top,
/// and the message goes up towards it as far as needed. Its route does not depend on other
/// messages.
[[nodiscard]] std::unique_ptr<Routing> random_up_routing(const Topology& tree);
[[nodiscard]] const RoutingKind& random_up_routing_kind();

}  // namespace weir::network
