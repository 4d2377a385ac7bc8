#pragma once

#include <cstddef>
#include <string>

#include "experiments/records/steady_interval.h"
#include "experiments/statistics/steady_state.h"
#include "network/traffic/traffic_record.h"

namespace weir::experiments::analyses {

/// Confidence interval of the mean of a series of `observations`. The first observation in the
/// steady state sets measured_from_cycle.
records::SteadyInterval steady_interval(const std::string& metric, const std::string& observations,
                                        const statistics::SteadyState& state);

/// Confidence interval of the mean latency of all packets, from batches of time slices with
/// different numbers of packets. The mean R is the ratio of all cycles to all packets. A slice
/// contributes R, plus its cycles less R times its packets, over the mean number of packets in a
/// slice. The mean of these contributions is R, and their variance that of the ratio (Cochran,
/// Sampling Techniques, Section 6.3).
records::SteadyInterval latency_interval(const network::TrafficRecord& record, std::size_t batches);

}  // namespace weir::experiments::analyses
