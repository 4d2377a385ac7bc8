#pragma once

#include "hw/tracing/trace_probe.h"

namespace weir::experiments::trace {

/// Two nodes in a row, with channels and queues recorded in intervals of 64 cycles; the last
/// interval is shorter. A message of 8 flits, whose header waits, goes from node 0 to node 1, and
/// another one back.
struct HandMadeIntervals {
    void report_to(hw::TraceSink& sink) const {
        sink.channel_name("(0,0) +x");
        sink.channel_name("(1,0) -x");
        sink.channel_interval({0, hw::Cycles(0), hw::Cycles(64), hw::Flits(6), hw::Cycles(40)});
        sink.channel_interval({0, hw::Cycles(64), hw::Cycles(128), hw::Flits(2), hw::Cycles(0)});
        sink.channel_interval({1, hw::Cycles(64), hw::Cycles(128), hw::Flits(4), hw::Cycles(3)});
        for (const auto& [cycle, bytes] : {std::pair{60, 16}, {62, 8}, {70, 0}, {190, 24}}) {
            sink.queue_level(hw::NodeId(1), hw::QueueKind::kInput, hw::Cycles(cycle),
                             hw::Bytes(bytes), 1);
        }
        sink.intervals_end(hw::Cycles(200));
    }
};

}  // namespace weir::experiments::trace
