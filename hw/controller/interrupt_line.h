#pragma once

#include "hw/clock/clock_domain.h"
#include "hw/clock/clocked_register.h"

namespace weir::hw {

/// A level-sensitive interrupt wire from a controller to a core. The driver writes the level, the
/// core sees it from the cycle named on, and is woken then when it rises.
class InterruptLine {
  public:
    void set_core(ClockedPart& core) { core_ = &core; }

    void drive(bool level, Cycles now) {
        const bool rises = level && !level_.latest();
        level_.write(level, now);
        if (rises && core_ != nullptr) {
            core_->wake_at(now + Cycles(1));
        }
    }
    [[nodiscard]] bool raised(Cycles now) const { return level_.read(now); }
    [[nodiscard]] bool driven() const { return level_.latest(); }

  private:
    ClockedRegister<bool> level_{false};
    ClockedPart* core_ = nullptr;
};

}  // namespace weir::hw
