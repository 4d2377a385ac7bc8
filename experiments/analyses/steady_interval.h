#pragma once

#include <cstddef>
#include <string>

#include "experiments/records/steady_interval.h"
#include "experiments/statistics/steady_state.h"
#include "network/traffic/traffic_record.h"

namespace weir::experiments::analyses {

/// Of a series of `observations`, whose first one in the steady state tells `measured_from_cycle`.
records::SteadyInterval steady_interval(const std::string& metric, const std::string& observations,
                                        const statistics::SteadyState& state);

/// The mean latency of all packets: batches of slices. Packets are more or fewer in a slice; its
/// part in the ratio of all cycles to all packets, R, is R and what its cycles are beyond R times
/// its packets, by the mean number of packets in a slice. The mean of those parts is R, and their
/// variance that of the ratio (Cochran, Sampling Techniques, Section 6.3).
records::SteadyInterval latency_interval(const network::TrafficRecord& record, std::size_t batches);

}  // namespace weir::experiments::analyses
