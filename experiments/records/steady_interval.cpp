#include "experiments/records/steady_interval.h"

#include "experiments/records/json_input.h"

namespace weir::experiments::records {

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
    interval.batches = whole_number<std::size_t>(json.at("batches"));
    interval.batch_observations = count_from(json.at("batch_observations"));
    interval.warm_up_observations = count_from(json.at("warm_up_observations"));
    interval.measured_from_cycle = count_from(json.at("measured_from_cycle"));
    interval.quarters_lag_1 = json.at("quarters_lag_1");
    interval.doubt = json.at("doubt");
    if (json.contains("half_width_95")) {
        interval.half_width = extent_from(json.at("half_width_95"));
    }
    if (json.contains("length_key")) {
        interval.length_key = json.at("length_key");
        interval.lengths = whole_numbers_in<std::int64_t>(json.at("lengths"));
        interval.is_precise = json.at("is_precise");
    }
    return interval;
}

}  // namespace weir::experiments::records
