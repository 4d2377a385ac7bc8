#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "hw/units.h"
#include "hw/wait_report.h"

namespace weir::network {

/// A message's wait in an input virtual channel of a router, for reports. It names the output that
/// the message needs, and why it does not get it.
class VirtualChannelWait {
  public:
    /// `input` and `needed` are names of virtual channels. `condition` names the failure of the
    /// needed channel's hardware, if any (FlitChannel::condition).
    VirtualChannelWait(std::string input, std::uint16_t destination, std::string needed,
                       std::string condition)
        : input_(std::move(input)),
          needed_(std::move(needed)),
          what_("a message for node " + std::to_string(destination) + " needs " + needed_ + ", "),
          condition_(std::move(condition)) {}

    /// Wait for a credit of the output, which the message holds.
    [[nodiscard]] hw::Wait for_credit(hw::Flits held) const {
        return {
            input_, needed_,
            what_ + "which has no room (" + std::to_string(held.count()) + " flits)" + condition_};
    }
    [[nodiscard]] hw::Wait for_room() const {
        return {
            input_, needed_,
            what_ + "which has no room for this message, or for a message before it" + condition_};
    }
    [[nodiscard]] hw::Wait for_end_of_message() const {
        return {input_, needed_, what_ + kIsHeld + condition_};
    }
    /// Wait for another message that holds the needed virtual channel, while its flits are still in
    /// `holder`.
    [[nodiscard]] hw::Wait for_holder(const std::string& holder) const {
        return {input_, holder, what_ + kIsHeld};
    }

  private:
    static constexpr const char* kIsHeld = "which another message holds";

    std::string input_;
    std::string needed_;
    std::string what_;
    std::string condition_;
};

}  // namespace weir::network
