#pragma once

#include <cstdint>

namespace weir::network {

/// Choice of virtual channels in a ring of a torus, so that rings do not deadlock. A ring of k
/// routers has its end between k-1 and 0 and its middle between (k-1)/2 and the next router. No
/// route of at most k/2 hops crosses both. So routes over the end never use the physical channel
/// over the middle, and vice versa.
enum class RingClasses : std::uint8_t {
    kNone,      ///< one virtual channel; rings can deadlock
    kDateline,  ///< 0 before the message crosses the end, then 1; 1 from the start if it never
                ///< crosses it (Dally and Seitz 1987)
    kCrossing,  ///< 1 for routes that cross the end, 0 for all others
    kBalanced,  ///< 1 for routes that cross the end, 0 for routes that cross the middle. Other
                ///< routes take either one when they enter the ring, and keep it (after Scott and
                ///< Thorson 1994)
};
/// Direction around a ring if both directions are equally long.
enum class RingTies : std::uint8_t {
    kUp,
    kParity,  ///< up from routers with an even coordinate in the ring, down from others
    kLot,     ///< up or down, by the message's random lot
};
struct RingRules {
    RingClasses classes = RingClasses::kCrossing;
    RingTies ties = RingTies::kParity;
};

/// Rules for escape channels in adaptive routing.
struct EscapeRules {
    /// True if a message that has taken an escape channel may take other channels again. Otherwise
    /// it stays in escape channels.
    bool may_leave = true;
    /// True if a message may wait in a buffer behind another one. It can't request an escape
    /// channel there, so that escape channels prove nothing (Duato 1993 has a buffer hold one
    /// message at a time).
    bool share_buffers = false;
};

}  // namespace weir::network
