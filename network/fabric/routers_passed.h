#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "hw/messages/message_pool.h"

namespace weir::network {

/// Number of routers that each message on its way has passed, by its slot. A router counts a
/// message when it gives the message's header an output.
class RoutersPassed {
  public:
    void count(hw::MessageSlot message) {
        if (routers_.size() <= message) {
            routers_.resize(message + std::size_t{1});
        }
        ++routers_[message];
    }
    /// Number of routers of a message that has arrived. The next message of its slot starts at 0.
    [[nodiscard]] std::int32_t take(hw::MessageSlot message) {
        return message < routers_.size() ? std::exchange(routers_[message], 0) : 0;
    }

  private:
    std::vector<std::int32_t> routers_;
};

}  // namespace weir::network
