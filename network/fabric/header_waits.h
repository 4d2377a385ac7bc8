#pragma once

#include "hw/units.h"

namespace weir::network {

/// Total time that headers at the front of a buffer have waited for an output.
class HeaderWaits {
  public:
    /// The header at the front requests an output from this cycle on. Further calls for this header
    /// have no effect.
    void begin(hw::Cycles cycle) {
        if (since_ == hw::kNever) {
            since_ = cycle;
        }
    }
    /// The header at the front is granted an output in cycle `now`.
    void end(hw::Cycles now) {
        ended_ += now - since_;
        since_ = hw::kNever;
    }
    /// Total wait so far, up to and including cycle `last`.
    [[nodiscard]] hw::Cycles through(hw::Cycles last) const {
        return ended_ + (since_ <= last ? last + hw::Cycles(1) - since_ : hw::Cycles(0));
    }

  private:
    hw::Cycles since_ = hw::kNever;  // first request of the header at the front; kNever: no request
    hw::Cycles ended_{0};            // total wait of earlier headers
};

}  // namespace weir::network
