#pragma once

#include <cstdint>

namespace weir::network {

/// The values of network.routing; the default is the topology's own.
enum class RoutingKind : std::uint8_t {
    kDefault,
    kDimensionOrder,
    kECube,
    kUpDown,
    kDestinationTag,
    kMinimalAdaptive,
};

/// Which virtual channels a message takes in a ring of a torus, so that rings do not deadlock. A
/// ring of k has its end between k-1 and 0 and its middle between (k-1)/2 and the next. No way of
/// at most k/2 hops leads over both; so those over the end never use the channel of the middle, nor
/// those over the middle the one of the end.
enum class RingClasses : std::uint8_t {
    kNone,      ///< one virtual channel; rings can deadlock
    kDateline,  ///< 0 until it is over the end, then 1; 1 from the start when it need not go there
                ///< (Dally and Seitz 1987)
    kCrossing,  ///< 1 all the way when it goes over the end, 0 all the way when it does not
    kBalanced,  ///< 1 all the way when it goes over the end, 0 all the way when it goes over the
                ///< middle; else whichever is free where it comes into the ring, and that one on
                ///< (after Scott and Thorson 1994)
};
/// Which way a message goes around a ring where both are as long.
enum class RingTies : std::uint8_t {
    kUp,
    kParity,  ///< upwards from where the ring's coordinate is even, else downwards
    kLot,     ///< as the message's lot says
};
struct RingRules {
    RingClasses classes = RingClasses::kCrossing;
    RingTies ties = RingTies::kParity;
};

/// The rules for escape channels in adaptive routing.
struct EscapeRules {
    /// One that has taken an escape may take other channels again; else it stays in escapes.
    bool may_leave = true;
    /// A message may have to wait in a buffer behind another, where it cannot ask for an escape:
    /// then the escapes prove nothing (Duato 1993 has a buffer hold one message at a time).
    bool share_buffers = false;
};

}  // namespace weir::network
