#pragma once

#include <functional>
#include <map>
#include <utility>

#include "hw/units.h"

namespace weir::network {

/// What fails in which cycle, for who runs the machine: it stops before each such cycle, and has
/// what is due done between the cycles, so that the order of ticks doesn't matter.
class FaultSchedule {
  public:
    using Failure = std::function<void(hw::Cycles)>;

    void add(hw::Cycles cycle, Failure failure) { failures_.emplace(cycle, std::move(failure)); }
    /// The first cycle in which something fails that has not yet; kNever when all has.
    [[nodiscard]] hw::Cycles next() const {
        return failures_.empty() ? hw::kNever : failures_.begin()->first;
    }
    /// Has all fail that does so by this cycle, whose ticks are still to come.
    void fail_by(hw::Cycles cycle) {
        while (next() <= cycle) {
            const auto first = failures_.extract(failures_.begin());
            first.mapped()(first.key());
        }
    }

  private:
    std::multimap<hw::Cycles, Failure> failures_;
};

}  // namespace weir::network
