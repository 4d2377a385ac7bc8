#pragma once

#include "experiments/records/metric.h"

namespace weir::experiments::analyses {

/// Times of a remap from the program's first cycle to its last. (The metric cycles_per_iteration
/// covers only the time in which all nodes are active.)
struct RemapMetrics final : records::MetricGroup {
    records::Metric whole_run_cycles{*this, "whole_run_cycles", "cycles",
                                     "Time from cycle 0 to the end of the last handler, for short "
                                     "messages without replies in a fixed order"};
    records::Metric whole_run_cycles_per_byte{*this, "whole_run_cycles_per_byte", "cycles/byte",
                                              "Time from cycle 0 until the last body is in memory, "
                                              "divided by the bytes of a node's bodies",
                                              "LoGPC Figure 6"};
    records::Metric whole_run_cycles_per_iteration{*this, "whole_run_cycles_per_iteration",
                                                   "cycles",
                                                   "Time from cycle 0 to the end of the slowest "
                                                   "node, divided by a node's requests or messages",
                                                   "LoGPC Section 5.1"};
};
inline const RemapMetrics& remap_metrics() { return records::declared<RemapMetrics>(); }

}  // namespace weir::experiments::analyses
