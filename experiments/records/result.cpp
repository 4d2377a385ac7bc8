#include "experiments/records/result.h"

#include <algorithm>
#include <cmath>

#include "experiments/records/json_input.h"
#include "experiments/records/value_json.h"
#include "experiments/setup/version.h"

namespace weir::experiments::records {

using Json = nlohmann::ordered_json;

namespace {

Json configuration_to_json(
    const std::vector<std::pair<std::string, hw::ParameterValue>>& configuration) {
    Json json = Json::object();
    for (const auto& [key, value] : configuration) {
        json[key] = json_of(value);
    }
    return json;
}

// How sure a point's main metric is, and how that came about.
Json precision_to_json(const PointResult& point) {
    Json json = Json::object();
    if (point.replications) {
        json["metric"] = point.replications->metric;
        json["relative_precision"] = point.replications->relative_precision;
        json["is_precise"] = point.replications->is_precise;
        json["replications"] = point.seeds.size();
        return json;
    }
    json["metric"] = point.intervals.front().metric;
    json["runs"] = Json::array();
    for (const SteadyInterval& interval : point.intervals) {
        json["runs"].push_back(to_json(interval));
    }
    return json;
}

Json point_to_json(const PointResult& point) {
    Json json = Json::object();
    json["label"] = point.label;
    if (!point.against.empty()) {
        json["against"] = point.against;
    }
    json["configuration"] = configuration_to_json(point.configuration);
    json["seeds"] = point.seeds;
    json["cycles"] = point.cycles;
    if (point.messages > 0) {
        json["messages"] = point.messages;
    }
    json["wall_seconds"] = point.wall_seconds;
    // Not of traffic alone, nor of what was not run.
    for (const auto& [name, seconds] : {std::pair{"machine_seconds", point.machine_seconds},
                                        std::pair{"processor_seconds", point.processor_seconds}}) {
        if (seconds > 0.0) {
            json[name] = seconds;
        }
    }
    json["measured"] = Json::object();
    json["confidence_half_width_95"] = Json::object();
    for (const Estimate& measured : point.measured) {
        json["measured"][measured.name] = measured.mean;
        if (measured.half_width) {
            json["confidence_half_width_95"][measured.name] = *measured.half_width;
        }
    }
    if (!point.intervals.empty() || point.replications) {
        json["precision"] = precision_to_json(point);
    }
    json["round_trip"] = metrics_to_json(point.round_trip);
    Json& network = json["network"] = {{"model", point.network_model}};
    if (point.routing) {
        network["topology"] = point.routing->topology;
        network["virtual_channels"] = point.routing->virtual_channels;
        network["deadlock_free"] = point.routing->deadlock_free;
        network["dependencies"] = point.routing->dependencies;
        network["sending_handlers"] = point.routing->sending_handlers;
        if (!point.routing->is_plain_mesh) {
            network["is_plain_mesh"] = false;
        }
    }
    json["predicted"] = Json::object();
    for (const Prediction& prediction : point.predictions) {
        Json& predicted = json["predicted"][prediction.model];
        predicted = metrics_to_json(prediction.metrics);
        predicted["inputs"] = metrics_to_json(prediction.inputs);
        if (!prediction.not_applicable.empty()) {
            predicted["not_applicable"] = prediction.not_applicable;
        }
    }
    json["compared"] = Json::object();
    for (const Estimate& compared : point.compared) {
        json["compared"][compared.name] = compared.mean;
        if (compared.half_width) {
            json["confidence_half_width_95"][compared.name] = *compared.half_width;
        }
    }
    json["published"] = Json::object();
    for (const setup::Published& published : point.published) {
        Json& entry = json["published"][published.metric];
        entry = {{"value", published.value}, {"source", published.source}};
        if (published.tolerance) {
            entry["tolerance"] = *published.tolerance;
        }
        if (published.within) {
            entry["within"] = *published.within;
        }
    }
    json.update(point.particulars);
    return json;
}

const Estimate* find(const std::vector<Estimate>& estimates, std::string_view name) {
    const auto found = std::find_if(estimates.begin(), estimates.end(),
                                    [&](const Estimate& e) { return e.name == name; });
    return found == estimates.end() ? nullptr : &*found;
}

}  // namespace

Json metrics_to_json(const Metrics& metrics) {
    Json json = Json::object();
    for (const auto& [name, value] : metrics) {
        json[name] = value;
    }
    return json;
}

Metrics metrics_from(const Json& json) {
    Metrics metrics;
    for (const auto& [name, value] : json.items()) {
        metrics.emplace_back(name, value.get<double>());
    }
    return metrics;
}

Metrics means(const PointResult& point) {
    Metrics all;
    for (const Estimate& measured : point.measured) {
        all.emplace_back(measured.name, measured.mean);
    }
    return all;
}

const Particulars& particular(const PointResult& point, const std::string& name) {
    static const Particulars none = Particulars::array();
    const auto found = point.particulars.find(name);
    return found == point.particulars.end() ? none : *found;
}

const Estimate* find_estimate(const PointResult& point, std::string_view name) {
    return find(point.measured, name);
}

std::optional<Estimate> find_comparable(const PointResult& point, std::string_view name) {
    if (const Estimate* measured = find_estimate(point, name)) {
        return *measured;
    }
    const Estimate* compared = find(point.compared, name);
    return compared != nullptr ? std::optional(*compared) : std::nullopt;
}

RunEnding ending_of(const SimulationResult& run, const std::string& folder) {
    RunEnding ending;
    ending.seed = run.seed;
    ending.how = bad_end_name(run);
    ending.exit_status = run.exit_status;
    ending.cycles = run.cycles;
    ending.messages = run.messages;
    ending.explanation = run.explanation;
    ending.folder = folder;
    for (const auto& metric : run.measured.metrics) {
        if (std::isfinite(metric.second)) {  // JSON has no other numbers
            ending.partial.push_back(metric);
        }
    }
    return ending;
}

Json to_json(const RunEnding& ending) {
    Json json{{"point", ending.point},
              {"seed", ending.seed},
              {"how", ending.how},
              {"exit_status", ending.exit_status},
              {"cycles", ending.cycles},
              {"messages", ending.messages},
              {"explanation", ending.explanation},
              {"folder", ending.folder},
              {"partial", metrics_to_json(ending.partial)}};
    json["configuration"] = configuration_to_json(ending.configuration);
    return json;
}

Json to_json(const ExperimentResult& result) {
    Json json = Json::object();
    json["weir"] = setup::kVersion;
    json["experiment"] = result.file;
    json["title"] = result.title;
    json["description"] = result.description;
    json["kernel"] = result.kernel;
    json["leading_metric"] = result.leading_metric;
    json["warmup_cycles"] = result.warmup_cycles;
    json["wall_seconds"] = result.wall_seconds;
    json["folder"] = result.folder;
    if (result.runs_left > 0) {
        json["runs_left"] = result.runs_left;
    }
    if (!result.endings.empty()) {
        json["endings"] = Json::array();
        for (const RunEnding& ending : result.endings) {
            json["endings"].push_back(to_json(ending));
        }
    }
    if (result.points.size() == 1) {
        json.update(point_to_json(result.points.front()), true);
        json["wall_seconds"] = result.wall_seconds;
    } else {
        json["points"] = Json::array();
        for (const PointResult& point : result.points) {
            json["points"].push_back(point_to_json(point));
        }
    }
    json.update(result.particulars);
    json["sensitivity"] = Json::array();
    for (const SensitivityResult& sensitivity : result.sensitivity) {
        Json entry{{"what", sensitivity.what}, {"variants", Json::array()}};
        for (const PointResult& variant : sensitivity.variants) {
            entry["variants"].push_back(point_to_json(variant));
        }
        json["sensitivity"].push_back(entry);
    }
    return json;
}

Json to_json(const StudyResult& result) {
    Json json{{"weir", setup::kVersion},
              {"study", result.file},
              {"title", result.title},
              {"description", result.description},
              {"wall_seconds", result.wall_seconds},
              {"folder", result.folder},
              {"parts", Json::array()}};
    for (const records::ExperimentResult& part : result.parts) {
        json["parts"].push_back(to_json(part));
    }
    return json;
}

Json to_json(const SimulationResult& result) {
    Json json{{"end", static_cast<int>(result.end)},
              {"seed", result.seed},
              {"cycles", result.cycles},
              {"wall_seconds", result.wall_seconds},
              {"messages", result.messages},
              {"machine_seconds", result.machine_seconds},
              {"processor_seconds", result.processor_seconds},
              {"metrics", metrics_to_json(result.measured.metrics)},
              {"round_trip", metrics_to_json(result.measured.round_trip)},
              {"model_inputs", metrics_to_json(result.measured.model_inputs)},
              {"particulars", result.measured.particulars},
              {"facts", result.facts},
              {"explanation", result.explanation},
              {"wrong_answer", result.wrong_answer}};
    if (result.measured.interval) {
        json["interval"] = to_json(*result.measured.interval);
    }
    if (!result.failure.empty()) {
        json["failure"] = result.failure;
    }
    if (result.exit_status != 0) {
        json["exit_status"] = result.exit_status;
    }
    return json;
}

std::string bad_end_name(const SimulationResult& result) {
    if (!result.failure.empty()) {
        return result.failure;
    }
    if (result.end != nodes::RunEnd::kFinished) {
        return std::string(nodes::run_end_name(result.end));
    }
    return result.wrong_answer ? "wrong answer" : "";
}

namespace {

// Any end that has a name.
nodes::RunEnd run_end_from(const Json& json) {
    const auto end = static_cast<nodes::RunEnd>(whole_number<std::uint8_t>(json));
    if (nodes::run_end_name(end).empty()) {
        throw Json::out_of_range::create(406, json.dump() + " is no end of a run", &json);
    }
    return end;
}

}  // namespace

SimulationResult simulation_result_from(const Json& json) {
    SimulationResult result;
    result.end = run_end_from(json.at("end"));
    result.seed = whole_number<std::uint64_t>(json.at("seed"));
    result.cycles = count_from(json.at("cycles"));
    result.wall_seconds = extent_from(json.at("wall_seconds"));
    result.messages = count_from(json.at("messages"));
    result.machine_seconds = extent_from(json.at("machine_seconds"));
    result.processor_seconds = extent_from(json.at("processor_seconds"));
    result.measured.metrics = metrics_from(json.at("metrics"));
    result.measured.round_trip = metrics_from(json.at("round_trip"));
    result.measured.model_inputs = metrics_from(json.at("model_inputs"));
    result.measured.particulars = json.at("particulars");
    result.facts = json.at("facts");
    result.explanation = json.at("explanation");
    result.wrong_answer = json.at("wrong_answer");
    if (json.contains("interval")) {
        result.measured.interval = steady_interval_from(json.at("interval"));
    }
    if (json.contains("failure")) {
        result.failure = json.at("failure");
    }
    if (json.contains("exit_status")) {
        result.exit_status = whole_number<int>(json.at("exit_status"));
    }
    return result;
}

}  // namespace weir::experiments::records
