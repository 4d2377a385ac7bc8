#include "experiments/analyses/latency_percentiles.h"

#include <vector>

namespace weir::experiments::analyses {

namespace {

const std::vector<std::string>& percents() {
    static const std::vector<std::string> all{"50", "95", "99"};
    return all;
}

}  // namespace

LatencyPercentiles::LatencyPercentiles(records::MetricGroup& group, const std::string& latency,
                                       const std::string& what)
    : percentiles_(
          group, percents(),
          [&latency](const std::string& percent) { return latency + "_p" + percent + "_cycles"; },
          "cycles",
          [&what](const std::string& percent) {
              return "Latency that " + percent + " % of the " + what + " do not exceed";
          }),
      longest_(group, latency + "_longest_cycles", "cycles",
               "Longest latency of the measured " + what) {}

void LatencyPercentiles::add_to(records::Metrics& metrics,
                                const network::CycleHistogram& latencies) const {
    for (std::size_t i = 0; i < percents().size(); ++i) {
        const double percent = std::stod(percents()[i]);
        add(metrics, percentiles_[i], static_cast<double>(latencies.percentile(percent)));
    }
    add(metrics, longest_, static_cast<double>(latencies.largest()));
}

}  // namespace weir::experiments::analyses
