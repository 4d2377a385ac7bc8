#pragma once

#include "experiments/records/metric.h"

namespace weir::experiments::analyses {

/// Times of a remap from the program's first cycle to its last. In contrast, cycles_per_iteration
/// covers the time in which all nodes are active.
struct RemapMetrics final : records::MetricGroup {
    records::Metric whole_run_cycles{*this, "whole_run_cycles", "cycles",
                                     "Time of a remap of short messages in a fixed order, from the "
                                     "first cycle to the end of the last handler"};
    records::Metric whole_run_cycles_per_byte{*this, "whole_run_cycles_per_byte", "cycles/byte",
                                              "Time per byte from the first cycle to the last body "
                                              "in memory, over the bytes of a node's bodies",
                                              "LoGPC Figure 6"};
    records::Metric whole_run_cycles_per_iteration{
        *this, "whole_run_cycles_per_iteration", "cycles",
        "Time per iteration from the first cycle to the end of the slowest node, over a node's "
        "requests or messages",
        "LoGPC Section 5.1"};
};
inline const RemapMetrics& remap_metrics() { return records::declared<RemapMetrics>(); }

}  // namespace weir::experiments::analyses
