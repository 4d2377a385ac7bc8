#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/records/result.h"

namespace weir::experiments::records {

inline SteadyInterval small_interval() {
    return {.metric = "cycles_per_iteration",
            .observations = "iterations",
            .half_width = 1.5,
            .batches = 20,
            .batch_observations = 100,
            .warm_up_observations = 10,
            .measured_from_cycle = 4'000,
            .quarters_lag_1 = 0.1,
            .doubt = "",
            .length_key = "workload.iterations",
            .lengths = {100, 200},
            .is_precise = true};
}

/// Point with a value in every optional field.
inline PointResult small_point(const std::string& label, bool has_intervals) {
    PointResult point;
    point.label = label;
    point.against = has_intervals ? "" : "a";
    point.configuration = {{"network.hop_cycles", std::int64_t{1}},
                           {"network.topology", std::string("mesh")},
                           {"network.dimensions", std::vector<std::int64_t>{2, 2}},
                           {"clock.processor_mhz", 20.5},
                           {"controller.overflow_trap", true}};
    point.seeds = {1, 18'446'744'073'709'551'615U};
    point.cycles = {4'000, 4'100};
    point.wall_seconds = 0.25;
    point.machine_seconds = 0.125;
    point.processor_seconds = 0.1875;
    point.measured = {{"cycles_per_iteration", 438.25, 1.5}, {"messages", 12.0, std::nullopt}};
    if (has_intervals) {
        point.intervals = {small_interval()};
    } else {
        point.replications = Replications{"cycles_per_iteration", 0.01, true};
    }
    point.round_trip = {{"compute", 100.0}, {"wait", 50.0}};
    point.network_model = "mesh";
    point.routing = RoutingFacts{"a mesh", 2, true, 12, {"answer"}, false};
    Prediction prediction;
    prediction.model = "lopc";
    prediction.metrics = {{"cycles_per_iteration", 485.0}};
    prediction.inputs = {{"handler_cycles", 145.0}};
    Prediction silent;
    silent.model = "logp";
    silent.not_applicable = "there is nothing to say";
    point.predictions = {prediction, silent};
    point.compared = {{"lopc_error_percent", 10.6, 0.5}};
    setup::Published published;
    published.metric = "cycles_per_iteration";
    published.value = 486.0;
    published.source = "Table 4";
    published.tolerance = 0.25;
    published.within = 20.0;
    point.published = {published};
    (*point.particulars)["channels"] = Particulars::parse(R"([["0 > 1", 0.5]])");
    return point;
}

inline ExperimentResult small_result(int points) {
    ExperimentResult result;
    result.file = "remap.toml";
    result.title = "Remap";
    result.description = "All nodes send to all others";
    result.kernel = "remap";
    result.leading_metric = "cycles_per_iteration";
    result.warmup_cycles = 1'000;
    result.wall_seconds = 0.5;
    result.folder = "runs/remap";
    result.runs_left = 1;
    result.points.push_back(small_point("a", true));
    for (int i = 1; i < points; ++i) {
        result.points.push_back(small_point("b", false));
    }
    result.sensitivity = {{"hops", {small_point("2", true)}}};
    return result;
}

inline StudyResult small_study() {
    return {"both.toml", "Two", "", "runs/both", 1.0, {small_result(1), small_result(2)}};
}

inline SimulationResult small_simulation() {
    SimulationResult result;
    result.seed = 1;
    result.cycles = 4'000;
    result.messages = 12;
    result.wall_seconds = 0.25;
    result.machine_seconds = 0.125;
    result.processor_seconds = 0.1875;
    result.measured.metrics = {{"cycles_per_iteration", 438.25}};
    result.measured.round_trip = {{"compute", 100.0}};
    result.measured.model_inputs = {{"handler_cycles", 145.0}};
    result.measured.interval = small_interval();
    return result;
}

}  // namespace weir::experiments::records
