#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "hw/messages/message_pool.h"
#include "hw/units.h"

namespace weir::network {

/// A router that a message has passed: its vertex in the topology, and the cycle in which the
/// header was granted its output there.
struct RouterPassed {
    std::size_t vertex;
    hw::Cycles cycle;
};

/// Number of routers that each message in flight has passed, by slot. A router counts a message
/// when it grants the message's header an output.
class RoutersPassed {
  public:
    /// Records the routers of each route too, not only their number; to be called before the run.
    void keep_routes() { keeps_routes_ = true; }
    void count(hw::MessageSlot message, const RouterPassed& router) {
        if (routers_.size() <= message) {
            routers_.resize(message + std::size_t{1});
        }
        ++routers_[message];
        if (keeps_routes_) [[unlikely]] {
            add_to_route(message, router);
        }
    }
    /// Returns and clears the route of a message that has arrived; empty if routes are not
    /// recorded.
    [[nodiscard]] std::vector<RouterPassed> take_way(hw::MessageSlot message) {
        return message < routes_.size() ? std::exchange(routes_[message], {})
                                        : std::vector<RouterPassed>{};
    }
    /// Returns the number of routers that an arrived message has passed, and resets it for the next
    /// message of its slot.
    [[nodiscard]] std::int32_t take(hw::MessageSlot message) {
        return message < routers_.size() ? std::exchange(routers_[message], 0) : 0;
    }

  private:
    [[gnu::noinline]] void add_to_route(hw::MessageSlot message, const RouterPassed& router) {
        routes_.resize(routers_.size());
        routes_[message].push_back(router);
    }

    std::vector<std::int32_t> routers_;
    std::vector<std::vector<RouterPassed>> routes_;
    bool keeps_routes_ = false;
};

}  // namespace weir::network
