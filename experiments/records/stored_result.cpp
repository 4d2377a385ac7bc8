#include "experiments/records/stored_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "experiments/records/json_input.h"
#include "experiments/records/run_file.h"
#include "experiments/setup/user_fault.h"
#include "experiments/setup/version.h"

namespace weir::experiments::records {

using Json = nlohmann::ordered_json;

namespace fs = std::filesystem;

namespace {

std::optional<double> optional_number(const Json& json, const char* key) {
    return json.contains(key) ? std::optional(json.at(key).get<double>()) : std::nullopt;
}

std::optional<double> half_width_in(const Json& half_widths, const std::string& name) {
    return half_widths.contains(name) ? std::optional(extent_from(half_widths.at(name)))
                                      : std::nullopt;
}

std::vector<std::int64_t> counts_in(const Json& json) {
    std::vector<std::int64_t> counts;
    for (const Json& count : json) {
        counts.push_back(count_from(count));
    }
    return counts;
}

// With the half widths, which measured and compared values share.
std::vector<Estimate> estimates_of(const Json& values, const Json& half_widths) {
    std::vector<Estimate> estimates;
    for (const auto& [name, value] : values.items()) {
        estimates.push_back({name, value.get<double>(), half_width_in(half_widths, name)});
    }
    return estimates;
}

RoutingFacts routing_of(const Json& network) {
    RoutingFacts facts;
    facts.topology = network.at("topology");
    facts.virtual_channels = whole_number<int>(network.at("virtual_channels"));
    facts.deadlock_free = network.at("deadlock_free");
    facts.dependencies = count_from(network.at("dependencies"));
    facts.sending_handlers = network.at("sending_handlers").get<std::vector<std::string>>();
    facts.is_plain_mesh = network.value("is_plain_mesh", true);
    return facts;
}

std::vector<Prediction> predictions_of(const Json& json) {
    std::vector<Prediction> predictions;
    for (const auto& [model, said] : json.items()) {
        Prediction& prediction = predictions.emplace_back();
        prediction.model = model;
        for (const auto& [name, value] : said.items()) {
            if (name == "inputs") {
                prediction.inputs = metrics_from(value);
            } else if (name == "not_applicable") {
                prediction.not_applicable = value;
            } else {
                prediction.metrics.emplace_back(name, value.get<double>());
            }
        }
    }
    return predictions;
}

std::vector<setup::Published> published_of(const Json& json) {
    std::vector<setup::Published> all;
    for (const auto& [metric, entry] : json.items()) {
        setup::Published& published = all.emplace_back();
        published.metric = metric;
        published.value = entry.at("value");
        published.source = entry.at("source");
        published.tolerance = optional_number(entry, "tolerance");
        published.within = optional_number(entry, "within");
    }
    return all;
}

RunEnding ending_from(const Json& json) {
    RunEnding ending;
    ending.point = json.at("point");
    ending.seed = whole_number<std::uint64_t>(json.at("seed"));
    ending.how = json.at("how");
    ending.exit_status = whole_number<int>(json.at("exit_status"));
    ending.cycles = whole_number<std::int64_t>(json.at("cycles"));
    ending.messages = whole_number<std::int64_t>(json.at("messages"));
    ending.explanation = json.at("explanation");
    ending.folder = json.at("folder");
    // It is joined to the experiment's folder and read there.
    if (fs::path(ending.folder).has_parent_path()) {
        throw Json::other_error::create(
            501, "\"" + ending.folder + "\" is no folder inside the experiment's", &json);
    }
    ending.partial = metrics_from(json.at("partial"));
    for (const auto& [key, value] : json.at("configuration").items()) {
        ending.configuration.emplace_back(key, parameter_value_from(value));
    }
    return ending;
}

// What every point and every experiment has; all else is its kind's or its program's.
bool is_common(const std::string& name) {
    constexpr std::array kNames{"weir",
                                "experiment",
                                "title",
                                "description",
                                "kernel",
                                "folder",
                                "points",
                                "cycles",
                                "sensitivity",
                                "leading_metric",
                                "label",
                                "against",
                                "seeds",
                                "measured",
                                "configuration",
                                "messages",
                                "precision",
                                "round_trip",
                                "network",
                                "predicted",
                                "compared",
                                "published",
                                "wall_seconds",
                                "warmup_cycles",
                                "runs_left",
                                "endings",
                                "confidence_half_width_95",
                                "machine_seconds",
                                "processor_seconds"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

void read_particulars(const Json& json, Particulars& particulars) {
    for (const auto& [name, value] : json.items()) {
        if (!is_common(name)) {
            particulars[name] = value;
        }
    }
}

void read_precision(const Json& json, PointResult& point) {
    if (json.contains("replications")) {
        point.replications =
            Replications{json.at("metric"), json.at("relative_precision"), json.at("is_precise")};
        return;
    }
    for (const Json& run : json.at("runs")) {
        point.intervals.push_back(steady_interval_from(run));
    }
}

PointResult point_of(const Json& json) {
    PointResult point;
    point.label = json.at("label");
    point.against = json.value("against", "");
    for (const auto& [key, value] : json.at("configuration").items()) {
        point.configuration.emplace_back(key, parameter_value_from(value));
    }
    point.seeds = whole_numbers_in<std::uint64_t>(json.at("seeds"));
    point.cycles = counts_in(json.at("cycles"));
    point.messages = count_from(json.value("messages", Json(0)));
    point.wall_seconds = extent_from(json.at("wall_seconds"));
    point.machine_seconds = extent_from(json.value("machine_seconds", Json(0.0)));
    point.processor_seconds = extent_from(json.value("processor_seconds", Json(0.0)));
    const Json& half_widths = json.at("confidence_half_width_95");
    point.measured = estimates_of(json.at("measured"), half_widths);
    point.compared = estimates_of(json.at("compared"), half_widths);
    if (json.contains("precision")) {
        read_precision(json.at("precision"), point);
    }
    point.round_trip = metrics_from(json.at("round_trip"));
    const Json& network = json.at("network");
    point.network_model = network.at("model");
    if (network.contains("topology")) {
        point.routing = routing_of(network);
    }
    point.predictions = predictions_of(json.at("predicted"));
    point.published = published_of(json.at("published"));
    read_particulars(json, point.particulars);
    return point;
}

std::string text_at(const fs::path& path) {
    std::error_code unknown;
    if (!fs::exists(path.parent_path(), unknown)) {
        throw setup::UserFault({path.parent_path().string()}, "there is no such folder",
                               "the folder of a run");
    }
    if (!fs::is_directory(path.parent_path(), unknown) || !fs::is_regular_file(path, unknown)) {
        throw setup::UserFault({path.parent_path().string()}, "this is no run's folder",
                               "a folder with a result.json that weir run FILE has left; one that "
                               "was killed has it after weir run FILE --resume FOLDER");
    }
    return text_of_file(path);
}

void read_study(const Json& json, const fs::path& folder, StoredResult& stored) {
    stored.is_study = true;
    stored.file = json.at("study");
    for (const Json& part : json.at("parts")) {
        stored.experiments.push_back(experiment_result_from(part));
        ExperimentResult& result = stored.experiments.back();
        result.folder = (folder / fs::path(result.folder).filename()).string();
    }
}

}  // namespace

hw::ParameterValue parameter_value_from(const Json& json) {
    if (json.is_boolean()) {
        return json.get<bool>();
    }
    if (json.is_number_integer()) {
        return whole_number<std::int64_t>(json);
    }
    if (json.is_number()) {
        return json.get<double>();
    }
    if (json.is_string()) {
        return json.get<std::string>();
    }
    if (!json.is_array()) {
        throw Json::type_error::create(
            302, "must be a parameter's value, but is " + std::string(json.type_name()), &json);
    }
    return whole_numbers_in<std::int64_t>(json);
}

ExperimentResult experiment_result_from(const Json& json) {
    ExperimentResult result;
    result.file = json.at("experiment");
    result.title = json.at("title");
    result.description = json.at("description");
    result.kernel = json.at("kernel");
    result.leading_metric = json.at("leading_metric");
    result.warmup_cycles = count_from(json.at("warmup_cycles"));
    result.wall_seconds = extent_from(json.at("wall_seconds"));
    result.folder = json.at("folder");
    if (json.contains("runs_left")) {
        result.runs_left = whole_number<std::size_t>(json.at("runs_left"));
    }
    if (json.contains("endings")) {
        for (const Json& ending : json.at("endings")) {
            result.endings.push_back(ending_from(ending));
        }
    }
    if (json.contains("points")) {
        read_particulars(json, result.particulars);
        for (const Json& point : json.at("points")) {
            result.points.push_back(point_of(point));
        }
    } else {
        result.points.push_back(point_of(json));
    }
    for (const Json& sensitivity : json.at("sensitivity")) {
        SensitivityResult& row = result.sensitivity.emplace_back();
        row.what = sensitivity.at("what");
        for (const Json& variant : sensitivity.at("variants")) {
            row.variants.push_back(point_of(variant));
        }
    }
    return result;
}

StoredResult read_stored_result(const fs::path& folder) {
    const fs::path path = folder / "result.json";
    const StoredJson file{path.string(), "this is no result that weir run has left",
                          fmt::format("one of weir {}; run the experiment again", setup::kVersion)};
    return read_stored_json(text_at(path), file, [&folder](const Json& json) {
        StoredResult stored;
        stored.weir_version = json.at("weir");
        stored.title = json.at("title");
        stored.description = json.at("description");
        stored.wall_seconds = extent_from(json.at("wall_seconds"));
        if (json.contains("parts")) {
            read_study(json, folder, stored);
        } else {
            stored.experiments.push_back(experiment_result_from(json));
            stored.experiments.back().folder = folder.string();
            stored.file = stored.experiments.back().file;
        }
        return stored;
    });
}

std::vector<fs::path> folders_of_point(const ExperimentResult& result, const PointResult& point) {
    // Points are numbered as the file has them, and a run may be of some of them alone: the folders
    // that are there, in their order, are the points'.
    std::vector<std::string> names;
    std::error_code unknown;
    for (const fs::directory_entry& entry : fs::directory_iterator(result.folder, unknown)) {
        const std::string name = entry.path().filename().string();
        const std::size_t end = name.find("-seed-");
        if (name.starts_with("point-") && end != std::string::npos) {
            names.push_back(name.substr(0, end));
        }
    }
    // Of numbers with more digits the shorter ones first.
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
        return std::pair(a.size(), a) < std::pair(b.size(), b);
    });
    names.erase(std::unique(names.begin(), names.end()), names.end());
    const auto index = static_cast<std::size_t>(
        std::find_if(result.points.begin(), result.points.end(),
                     [&](const PointResult& each) { return each.label == point.label; }) -
        result.points.begin());
    std::vector<fs::path> folders;
    for (const std::uint64_t seed : point.seeds) {
        if (index < names.size() && names.size() == result.points.size()) {
            folders.push_back(fs::path(result.folder) /
                              fmt::format("{}-seed-{}", names[index], seed));
        }
    }
    return folders;
}

}  // namespace weir::experiments::records
