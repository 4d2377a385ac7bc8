#pragma once

#include <string>

#include "experiments/records/metrics.h"
#include "network/traffic/cycle_histogram.h"

namespace weir::experiments::analyses {

/// Percentiles and maximum of a latency, beside its mean. For "packet_latency" the metrics are
/// packet_latency_p50_cycles, _p95_, _p99_ and _longest_.
class LatencyPercentiles {
  public:
    /// Declares the metrics in the group; `what` names the messages in sentences, such as
    /// "packets".
    LatencyPercentiles(records::MetricGroup& group, const std::string& latency,
                       const std::string& what);

    /// Adds the metrics of `latencies`, of which there is at least one.
    void add_to(records::Metrics& metrics, const network::CycleHistogram& latencies) const;

  private:
    records::MetricFamily percentiles_;
    records::Metric longest_;
};

}  // namespace weir::experiments::analyses
