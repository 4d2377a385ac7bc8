#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "hw/messages/message_pool.h"
#include "hw/units.h"
#include "network/fabric/flit_channel.h"
#include "network/router/flow_control.h"

namespace weir::network {

/// The cycles that the ages of a network's messages count from.
class MessageAges {
  public:
    /// When a message on its way was generated.
    using Generation = std::function<hw::Cycles(hw::MessageSlot message)>;
    /// Before the run; without it a message is generated when it comes into the network.
    void set_generation(Generation generation) { generation_ = std::move(generation); }

    /// Of the message whose header is at the front of a router's input lane. The first router of a
    /// message (is_injection) notes when it came into the network: when its header came to the
    /// front there, the present cycle.
    [[nodiscard]] hw::Cycles since(Arbitration arbitration, const FlitChannel& lane,
                                   bool is_injection, hw::Cycles now) {
        const hw::MessageSlot message = lane.front().message;
        if (!is_by_age(arbitration)) {
            return hw::Cycles(0);
        }
        if (arbitration == Arbitration::kOldestHere) {
            return lane.front_arrival();
        }
        if (arbitration == Arbitration::kOldestGenerated && generation_) {
            return generation_(message);
        }
        if (entries_.size() <= message) {
            entries_.resize(message + std::size_t{1});
        }
        if (is_injection) {
            entries_[message] = now;
        }
        return entries_[message];
    }

  private:
    Generation generation_;
    std::vector<hw::Cycles> entries_;  // by slot
};

}  // namespace weir::network
