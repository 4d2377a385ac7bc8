#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "hw/messages/message_pool.h"
#include "hw/units.h"

namespace weir::network {

/// A router that a message has passed, as the topology numbers it, and the cycle in which the
/// message's header was given its output there.
struct RouterPassed {
    std::size_t vertex;
    hw::Cycles cycle;
};

/// Number of routers that each message on its way has passed, by its slot. A router counts a
/// message when it gives the message's header an output.
class RoutersPassed {
  public:
    /// Keeps which routers these are, too; before the run.
    void keep_ways() { keeps_ways_ = true; }
    void count(hw::MessageSlot message, const RouterPassed& router) {
        if (routers_.size() <= message) {
            routers_.resize(message + std::size_t{1});
        }
        ++routers_[message];
        if (keeps_ways_) {
            ways_.resize(routers_.size());
            ways_[message].push_back(router);
        }
    }
    /// The way of a message that has arrived, where ways are kept.
    [[nodiscard]] std::vector<RouterPassed> take_way(hw::MessageSlot message) {
        return message < ways_.size() ? std::exchange(ways_[message], {})
                                      : std::vector<RouterPassed>{};
    }
    /// Number of routers of a message that has arrived. The next message of its slot starts at 0.
    [[nodiscard]] std::int32_t take(hw::MessageSlot message) {
        return message < routers_.size() ? std::exchange(routers_[message], 0) : 0;
    }

  private:
    std::vector<std::int32_t> routers_;
    std::vector<std::vector<RouterPassed>> ways_;
    bool keeps_ways_ = false;
};

}  // namespace weir::network
