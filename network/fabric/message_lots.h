#pragma once

#include <cstdint>
#include <string>

#include "hw/random_stream.h"
#include "hw/units.h"
#include "network/routing/routing.h"

namespace weir::network {

/// Draws the lot of each message that a node sends, for routings that choose routes by lot
/// (Routing::lots).
class MessageLots {
  public:
    /// `purpose` names the random stream. A node that sends into several copies of the network has
    /// one MessageLots per copy.
    MessageLots(const Routing& routing, std::uint64_t seed, hw::NodeId node,
                const std::string& purpose)
        : lots_(static_cast<std::uint64_t>(routing.lots())), stream_(seed, node, purpose) {}

    /// Lot of the next message, to be drawn once per message; 0 if the routing has a single lot.
    std::uint16_t draw() {
        return lots_ == 1 ? std::uint16_t{0} : static_cast<std::uint16_t>(stream_.below(lots_));
    }

  private:
    std::uint64_t lots_;
    hw::RandomStream stream_;
};

}  // namespace weir::network
