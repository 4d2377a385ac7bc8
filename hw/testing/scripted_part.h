#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "hw/clock/clock_domain.h"

namespace weir::hw::testing {

/// An ideal neighbour that executes the test's script: actions, each in its cycle.
///
/// Actions of one cycle are executed in the order in which they were added. Other ticks change
/// nothing.
class ScriptedPart final : public ClockedPart {
  public:
    using Deed = std::function<void(Cycles)>;

    explicit ScriptedPart(ClockDomain& domain) : ClockedPart(domain) {}

    /// Executes `deed` in `cycle`, which must lie after the current one.
    void at(Cycles cycle, Deed deed) {
        script_[cycle].push_back(std::move(deed));
        wake_at(cycle);
    }
    void at(std::int64_t cycle, Deed deed) { at(Cycles(cycle), std::move(deed)); }

    void tick(Cycles now) override {
        const auto due = script_.find(now);
        if (due == script_.end()) {
            return;
        }
        const std::vector<Deed> deeds = std::move(due->second);
        script_.erase(due);
        for (const Deed& deed : deeds) {
            deed(now);
        }
    }

  private:
    std::map<Cycles, std::vector<Deed>> script_;
};

}  // namespace weir::hw::testing
