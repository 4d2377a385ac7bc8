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

/// Cycles from which the ages of a network's messages count.
class MessageAges {
  public:
    /// Cycle in which a message in flight was generated.
    using Generation = std::function<hw::Cycles(hw::MessageSlot message)>;
    /// Sets the cycles of generation; to be called before the run. By default a message is
    /// generated when it enters the network.
    void set_generation(Generation generation) { generation_ = std::move(generation); }

    /// Start of the age of the message whose header is at the front of a router's input. The first
    /// router of a message (is_injection) records its entry: the cycle in which the header came to
    /// the front, which is `now`.
    [[nodiscard]] hw::Cycles since(Arbitration arbitration, const FlitChannel& vc,
                                   bool is_injection, hw::Cycles now) {
        const hw::MessageSlot message = vc.front().message;
        if (!is_by_age(arbitration)) {
            return hw::Cycles(0);
        }
        if (arbitration == Arbitration::kOldestHere) {
            return vc.front_arrival();
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
    std::vector<hw::Cycles> entries_;  // cycles of entry into the network, by message slot
};

}  // namespace weir::network
