#include "experiments/analyses/steady_interval.h"

namespace weir::experiments::analyses {

records::SteadyInterval steady_interval(const std::string& metric, const std::string& observations,
                                        const statistics::SteadyState& state) {
    records::SteadyInterval interval;
    interval.metric = metric;
    interval.observations = observations;
    interval.warm_up_observations = static_cast<std::int64_t>(state.warm_up);
    interval.doubt = state.doubt();
    if (state.mean) {
        interval.half_width = state.mean->half_width;
        interval.batches = state.mean->batches;
        interval.batch_observations = static_cast<std::int64_t>(state.mean->batch_observations);
        interval.quarters_lag_1 = state.mean->quarters_lag_1;
    }
    return interval;
}

records::SteadyInterval latency_interval(const network::TrafficRecord& record,
                                         std::size_t batches) {
    const std::vector<network::LatencySlice>& slices = record.latency_slices();
    const network::CycleHistogram& all = record.from_generation();
    const double packets_in_slice =
        static_cast<double>(all.count()) / static_cast<double>(slices.size());
    std::vector<double> parts;
    parts.reserve(slices.size());
    for (const network::LatencySlice& slice : slices) {
        const double beyond =
            static_cast<double>(slice.cycles) - all.mean() * static_cast<double>(slice.packets);
        parts.push_back(all.mean() + beyond / packets_in_slice);
    }
    records::SteadyInterval interval = steady_interval(
        "packet_latency_cycles", "cycles", statistics::steady_state(parts, batches, false));
    // The test for correlation needs a packet in each quarter of a batch.
    const auto quarters = static_cast<std::int64_t>(batches * statistics::kBatchQuarters);
    if (all.count() < quarters) {
        interval.half_width.reset();
        interval.doubt = "there are too few packets";
    }
    interval.batch_observations *= record.slice_cycles().count();
    return interval;
}

}  // namespace weir::experiments::analyses
