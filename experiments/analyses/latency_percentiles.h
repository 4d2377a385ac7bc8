#pragma once

#include <string>

#include "experiments/records/metrics.h"
#include "network/traffic/cycle_histogram.h"

namespace weir::experiments::analyses {

/// How long the slow ones of many take, beside a latency's mean: of "packet_latency" that is
/// packet_latency_p50_cycles, _p95_, _p99_ and _longest_.
class LatencyPercentiles {
  public:
    /// Metrics of the group; `what` are "packets".
    LatencyPercentiles(records::MetricGroup& group, const std::string& latency,
                       const std::string& what);

    /// Of at least one latency.
    void add_to(records::Metrics& metrics, const network::CycleHistogram& latencies) const;

  private:
    records::MetricFamily percentiles_;
    records::Metric longest_;
};

}  // namespace weir::experiments::analyses
