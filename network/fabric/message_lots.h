#pragma once

#include <cstddef>
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
        : routing_(&routing),
          has_single_lot_(routing.lots() == 1),
          node_(node),
          stream_(seed, node, purpose) {}

    /// Lot of the next message, to be drawn once per message. Nothing is drawn if the message has a
    /// single lot.
    std::uint16_t draw(hw::NodeId destination) {
        if (has_single_lot_) {
            return 0;
        }
        const std::size_t lots = routing_->lots_between(node_.index(), destination.index());
        const std::size_t number = lots == 1 ? 0 : stream_.below(lots);
        return static_cast<std::uint16_t>(
            routing_->lot_between(node_.index(), destination.index(), number));
    }

  private:
    const Routing* routing_;
    bool has_single_lot_;  // true for most routings: asked once, not for each message
    hw::NodeId node_;
    hw::RandomStream stream_;
};

}  // namespace weir::network
