#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiments/trace/rows/trace_rows.h"
#include "hw/tracing/trace_probe.h"
#include "hw/units.h"

namespace weir::experiments::trace {

/// Makes of the levels of each node's queues what they held interval by interval.
class QueueIntervals {
  public:
    QueueIntervals(std::int32_t nodes, hw::Cycles interval)
        : interval_(interval), queues_(2 * static_cast<std::size_t>(nodes)) {}

    /// What the queue holds from a cycle on; of one queue in the order of time.
    void add_level(hw::NodeId node, hw::QueueKind queue, hw::Cycles cycle, hw::Bytes bytes);
    /// Nothing follows; levels last up to that cycle.
    void end(hw::Cycles cycle);

    /// The intervals that have ended since they were forgotten, without those of an empty queue.
    [[nodiscard]] const std::vector<QueueIntervalRow>& ended() const { return ended_; }
    void forget_ended() { ended_.clear(); }

  private:
    struct Queue {
        hw::Cycles since{0};
        hw::Bytes level{0};
        std::int64_t byte_cycles = 0;  // of the present interval, as the next one
        hw::Bytes most{0};
    };

    void pass_until(std::size_t number, hw::Cycles cycle);
    void end_interval(std::size_t number, hw::Cycles begin);

    hw::Cycles interval_;
    std::vector<Queue> queues_;  // node by node, the output queue first
    std::vector<QueueIntervalRow> ended_;
};

}  // namespace weir::experiments::trace
