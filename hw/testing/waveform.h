#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "hw/clock/clock_domain.h"

namespace weir::hw::testing {

/// A logic analyser's probe: samples a value in every cycle from 0 to `last`, and records its
/// changes. A change in cycle t proves both "at t" and "not before t".
class Waveform final : public ClockedPart {
  public:
    using Sample = std::function<std::int64_t(Cycles)>;
    using Change = std::pair<std::int64_t, std::int64_t>;  ///< cycle, new value

    /// The value before cycle 0 counts as 0.
    Waveform(ClockDomain& domain, Cycles last, Sample sample)
        : ClockedPart(domain), last_(last), sample_(std::move(sample)) {
        wake_at(Cycles(0));
    }

    void tick(Cycles now) override {
        if (now > last_) {
            return;
        }
        const std::int64_t value = sample_(now);
        if (value != value_) {
            value_ = value;
            changes_.emplace_back(now.count(), value);
        }
        if (now < last_) {
            wake_at(now + Cycles(1));
        }
    }

    [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }

  private:
    Cycles last_;
    Sample sample_;
    std::int64_t value_ = 0;
    std::vector<Change> changes_;
};

}  // namespace weir::hw::testing
