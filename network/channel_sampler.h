#pragma once

#include <vector>

#include "hw/tracing/trace_probe.h"
#include "hw/units.h"
#include "network/network.h"

namespace weir::network {

/// Tells a trace what each channel of a network sees, interval by interval.
class ChannelSampler {
  public:
    /// Both must stay. The trace is told the channels' names.
    ChannelSampler(const Network& network, hw::Cycles interval, hw::TraceSink& trace);

    /// Of the present interval.
    [[nodiscard]] hw::Cycles last_cycle() const { return begin_ + interval_ - hw::Cycles(1); }
    /// It ends with `last`, which is no later and has passed; the next one begins. Between cycles.
    void end_interval(hw::Cycles last);

  private:
    const Network& network_;
    hw::Cycles interval_;
    hw::TraceSink& trace_;
    hw::Cycles begin_{0};
    std::vector<ChannelCount> counts_;  // through the intervals before
};

}  // namespace weir::network
