#pragma once

#include "hw/units.h"

namespace weir::network {

/// How long headers at the front of a buffer have waited for an output.
class HeaderWaits {
  public:
    /// The header at the front asks from that cycle on, which may be told again.
    void begin(hw::Cycles cycle) {
        if (since_ == hw::kNever) {
            since_ = cycle;
        }
    }
    /// And has an output now.
    void end(hw::Cycles now) {
        ended_ += now - since_;
        since_ = hw::kNever;
    }
    /// So far, the cycle `last` included.
    [[nodiscard]] hw::Cycles through(hw::Cycles last) const {
        return ended_ + (since_ <= last ? last + hw::Cycles(1) - since_ : hw::Cycles(0));
    }

  private:
    hw::Cycles since_ = hw::kNever;  // of the header at the front
    hw::Cycles ended_{0};            // of those before it
};

}  // namespace weir::network
