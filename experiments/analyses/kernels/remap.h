#pragma once

#include "experiments/records/metric.h"

namespace weir::experiments::analyses {

/// A remap as the program sees it, from its first cycle to its last: cycles_per_iteration is while
/// all nodes are at work.
struct RemapMetrics final : records::MetricGroup {
    records::Metric whole_run_cycles{*this, "whole_run_cycles", "cycles",
                                     "From the first cycle to the end of the last handler, of "
                                     "short messages in a fixed order"};
    records::Metric whole_run_cycles_per_byte{*this, "whole_run_cycles_per_byte", "cycles/byte",
                                              "From the first cycle to the last body in memory, by "
                                              "the bytes of a node's bodies",
                                              "LoGPC Figure 6"};
    records::Metric whole_run_cycles_per_iteration{
        *this, "whole_run_cycles_per_iteration", "cycles",
        "From the first cycle until the slowest node has ended, by the requests or messages of a "
        "node",
        "LoGPC Section 5.1"};
};
const RemapMetrics& remap_metrics();

}  // namespace weir::experiments::analyses
