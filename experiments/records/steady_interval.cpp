#include "experiments/records/steady_interval.h"

namespace weir::experiments::records {

SteadyInterval steady_interval(const std::string& metric, const std::string& observations,
                               const statistics::SteadyState& state) {
    SteadyInterval interval;
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

SteadyInterval latency_interval(const network::TrafficRecord& record, std::size_t batches) {
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
    SteadyInterval interval = steady_interval("packet_latency_cycles", "cycles",
                                              statistics::steady_state(parts, batches, false));
    // A quarter of a batch without a packet says nothing.
    const auto quarters = static_cast<std::int64_t>(batches * statistics::kBatchQuarters);
    if (all.count() < quarters) {
        interval.half_width.reset();
        interval.doubt = "there are too few packets";
    }
    interval.batch_observations *= record.slice_cycles().count();
    return interval;
}

nlohmann::ordered_json to_json(const SteadyInterval& interval) {
    nlohmann::ordered_json json{{"metric", interval.metric},
                                {"observations", interval.observations},
                                {"batches", interval.batches},
                                {"batch_observations", interval.batch_observations},
                                {"warm_up_observations", interval.warm_up_observations},
                                {"measured_from_cycle", interval.measured_from_cycle},
                                {"quarters_lag_1", interval.quarters_lag_1},
                                {"doubt", interval.doubt}};
    if (interval.half_width) {
        json["half_width_95"] = *interval.half_width;
    }
    if (!interval.length_key.empty()) {
        json["length_key"] = interval.length_key;
        json["lengths"] = interval.lengths;
        json["is_precise"] = interval.is_precise;
    }
    return json;
}

SteadyInterval steady_interval_from(const nlohmann::ordered_json& json) {
    SteadyInterval interval;
    interval.metric = json.at("metric");
    interval.observations = json.at("observations");
    interval.batches = json.at("batches");
    interval.batch_observations = json.at("batch_observations");
    interval.warm_up_observations = json.at("warm_up_observations");
    interval.measured_from_cycle = json.at("measured_from_cycle");
    interval.quarters_lag_1 = json.at("quarters_lag_1");
    interval.doubt = json.at("doubt");
    if (json.contains("half_width_95")) {
        interval.half_width = json.at("half_width_95").get<double>();
    }
    if (json.contains("length_key")) {
        interval.length_key = json.at("length_key");
        interval.lengths = json.at("lengths").get<std::vector<std::int64_t>>();
        interval.is_precise = json.at("is_precise");
    }
    return interval;
}

}  // namespace weir::experiments::records
