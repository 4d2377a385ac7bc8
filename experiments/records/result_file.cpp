#include <algorithm>
#include <array>
#include <filesystem>

#include "experiments/records/json_output.h"
#include "experiments/records/json_shape.h"
#include "experiments/records/result.h"
#include "experiments/setup/version.h"

namespace weir::experiments::records {

using Json = nlohmann::ordered_json;

template <>
inline constexpr std::array kEntries<SteadyInterval>{
    entry<&SteadyInterval::metric>("metric"),
    entry<&SteadyInterval::observations>("observations", "", {.definition = "observations"}),
    entry<&SteadyInterval::batches>("batches"),
    entry<&SteadyInterval::batch_observations>("batch_observations", "Observations in a batch.",
                                               {.least = 0}),
    entry<&SteadyInterval::warm_up_observations>(
        "warm_up_observations", "Observations at the beginning that were left out, by MSER-5.",
        {.least = 0}),
    entry<&SteadyInterval::measured_from_cycle>(
        "measured_from_cycle", "First cycle of the measurement, for all metrics.", {.least = 0}),
    entry<&SteadyInterval::quarters_lag_1>(
        "quarters_lag_1", "Lag-1 autocorrelation of the means of quarter batches."),
    entry<&SteadyInterval::doubt>("doubt",
                                  "Reason to distrust the interval; empty if there is none."),
    entry<&SteadyInterval::half_width>(
        "half_width_95",
        "Half width of the 95 % confidence interval; absent if there are too few observations.",
        {.least = 0}),
    entry<&SteadyInterval::length_key>(
        "length_key", "Parameter that was raised to make the interval narrow enough.",
        {.may_be_absent = true}),
    entry<&SteadyInterval::lengths>(
        "lengths", "Values of length_key; all results are those of the last value.",
        {.beside = "length_key"}),
    entry<&SteadyInterval::is_precise>("is_precise",
                                       "True if the interval of the last value was narrow enough.",
                                       {.beside = "length_key"}),
};

template <>
inline constexpr std::array kEntries<Replications>{
    entry<&Replications::metric>("metric", "Metric whose precision is given."),
    entry<&Replications::relative_precision>(
        "relative_precision", "run.relative_precision, which decides the number of seeds."),
    entry<&Replications::is_precise>("is_precise",
                                     "True if run.most_seeds sufficed for relative_precision."),
};

template <>
inline constexpr std::array kEntries<RoutingFacts>{
    entry<&RoutingFacts::topology>("topology"),
    entry<&RoutingFacts::virtual_channels>("virtual_channels", "", {.least = 1}),
    entry<&RoutingFacts::deadlock_free>("deadlock_free"),
    entry<&RoutingFacts::dependencies>("dependencies",
                                       "Number of edges in the channel-dependency graph; for "
                                       "adaptive routing only those between escape channels.",
                                       {.least = 0}),
    entry<&RoutingFacts::sending_handlers>("sending_handlers"),
    entry<&RoutingFacts::is_plain_mesh>(
        "is_plain_mesh", "True, or absent, for a plain mesh, which pages do not describe.",
        {.may_be_absent = true}),
};

template <>
inline constexpr std::array kEntries<setup::Published>{
    entry<&setup::Published::value>("value"),
    entry<&setup::Published::source>("source", "", {.is_filled = true}),
    entry<&setup::Published::tolerance>(
        "tolerance", "Largest accepted deviation, as a fraction of the value.", {.least = 0}),
    entry<&setup::Published::within>("within", "Largest accepted deviation, in the metric's unit.",
                                     {.least = 0}),
};

namespace {

// Rejects folders outside the experiment's, since the name is joined to its path.
void read_folder_inside(const Json& object, RunEnding& ending, const Entry<RunEnding>& entry) {
    object.at(entry.key).get_to(ending.folder);
    if (std::filesystem::path(ending.folder).has_parent_path()) {
        throw Json::other_error::create(
            501, "\"" + ending.folder + "\" is not a folder inside the experiment's", &object);
    }
}

}  // namespace

template <>
inline constexpr std::array kEntries<RunEnding>{
    entry<&RunEnding::point>("point", "", {.definition = "label"}),
    entry<&RunEnding::seed>("seed"),
    entry<&RunEnding::how>("how",
                           "End of the run: deadlock, no progress, cycle limit, interrupted, wrong "
                           "answer, fault of the program, or another reason.",
                           {.is_filled = true}),
    entry<&RunEnding::exit_status>("exit_status", "Exit status of weir run for this run alone.",
                                   {.least = 0}),
    entry<&RunEnding::cycles>("cycles", "Number of simulated cycles; 0 if unknown.", {.least = 0}),
    entry<&RunEnding::messages>("messages", "Number of messages sent; 0 if unknown.", {.least = 0}),
    entry<&RunEnding::explanation>(
        "explanation",
        "Message to the user: waiting parts and their reasons, or the faults of the answer."),
    with_reader(entry<&RunEnding::folder>("folder", "Folder of the run, inside the experiment's."),
                read_folder_inside),
    entry<&RunEnding::partial>("partial", "", {.definition = "partial"}),
    entry<&RunEnding::configuration>("configuration", "", {.definition = "configuration"}),
};

namespace {

/// Reads means with their half widths, which measured and compared values have in the same form.
void read_estimates(const Json& object, const char* key, std::vector<Estimate>& estimates) {
    const Json& half_widths = object.at("confidence_half_width_95");
    for (const auto& [name, value] : object.at(key).items()) {
        Estimate& estimate = estimates.emplace_back(Estimate{name, value.get<double>(), {}});
        if (half_widths.contains(name)) {
            estimate.half_width = extent_from(half_widths.at(name));
        }
    }
}

Json means_of(const std::vector<Estimate>& estimates) {
    Json means = Json::object();
    for (const Estimate& estimate : estimates) {
        means[estimate.name] = estimate.mean;
    }
    return means;
}

void write_half_widths(const PointResult& point, Json& object, const Entry<PointResult>& entry) {
    Json& half_widths = object[entry.key] = Json::object();
    for (const auto* estimates : {&point.measured, &point.compared}) {
        for (const Estimate& estimate : *estimates) {
            if (estimate.half_width) {
                half_widths[estimate.name] = *estimate.half_width;
            }
        }
    }
}

// Precision of a point's main metric, by replications or by batch means of its runs.
void write_precision(const PointResult& point, Json& object, const Entry<PointResult>& entry) {
    if (point.replications) {
        object[entry.key] = written(*point.replications);
        object[entry.key]["replications"] = point.seeds.size();
    } else if (!point.intervals.empty()) {
        object[entry.key] = {{"metric", point.intervals.front().metric},
                             {"runs", written(point.intervals)}};
    }
}

void read_precision(const Json& object, PointResult& point, const Entry<PointResult>& entry) {
    if (!object.contains(entry.key)) {
        return;
    }
    const Json& json = object.at(entry.key);
    if (json.contains("replications")) {
        read_value(json, point.replications);
    } else {
        read_value(json.at("runs"), point.intervals);
    }
}

void write_network(const PointResult& point, Json& object, const Entry<PointResult>& entry) {
    Json& network = object[entry.key] = {{"model", point.network_model}};
    if (point.routing) {
        network.update(written(*point.routing));
    }
}

void read_network(const Json& object, PointResult& point, const Entry<PointResult>& entry) {
    const Json& network = object.at(entry.key);
    network.at("model").get_to(point.network_model);
    if (network.contains("topology")) {
        read_value(network, point.routing);
    }
}

void write_predictions(const PointResult& point, Json& object, const Entry<PointResult>& entry) {
    Json& all = object[entry.key] = Json::object();
    for (const Prediction& prediction : point.predictions) {
        Json& predicted = all[prediction.model] = written(prediction.metrics);
        predicted["inputs"] = written(prediction.inputs);
        if (!prediction.not_applicable.empty()) {
            predicted["not_applicable"] = prediction.not_applicable;
        }
    }
}

void read_predictions(const Json& object, PointResult& point, const Entry<PointResult>& entry) {
    for (const auto& [model, said] : object.at(entry.key).items()) {
        Prediction& prediction = point.predictions.emplace_back();
        prediction.model = model;
        for (const auto& [name, value] : said.items()) {
            if (name == "inputs") {
                read_value(value, prediction.inputs);
            } else if (name == "not_applicable") {
                value.get_to(prediction.not_applicable);
            } else {
                prediction.metrics.emplace_back(name, value.get<double>());
            }
        }
    }
}

void write_published(const PointResult& point, Json& object, const Entry<PointResult>& entry) {
    Json& all = object[entry.key] = Json::object();
    for (const setup::Published& published : point.published) {
        all[published.metric] = written(published);
    }
}

// Reads all entries that neither points nor experiments declare: those of the kind or the program.
void read_particulars(const Json& json, Particulars& particulars);

void read_published(const Json& object, PointResult& point, const Entry<PointResult>& entry) {
    for (const auto& [metric, value] : object.at(entry.key).items()) {
        point.published.push_back(read_from<setup::Published>(value));
        point.published.back().metric = metric;
    }
}

}  // namespace

template <>
inline constexpr std::array kEntries<PointResult>{
    entry<&PointResult::label>("label", "", {.definition = "label"}),
    entry<&PointResult::against>("against",
                                 "Label of the point that over_other_point_percent compares this "
                                 "point's main metric with.",
                                 {.may_be_absent = true}),
    entry<&PointResult::configuration>("configuration", "", {.definition = "configuration"}),
    entry<&PointResult::seeds>("seeds", "Seeds of the runs, one run each.",
                               {.is_filled = true, .is_distinct = true}),
    entry<&PointResult::cycles>(
        "cycles", "Number of simulated cycles of each run, in the order of the seeds.",
        {.least = 1, .is_filled = true}),
    entry<&PointResult::messages>("messages",
                                  "Number of messages that all runs sent; absent for packets.",
                                  {.least = 1, .may_be_absent = true}),
    entry<&PointResult::wall_seconds>(
        "wall_seconds", "Wall time of all runs of this point on the host.", {.least = 0}),
    entry<&PointResult::machine_seconds>(
        "machine_seconds",
        "Part of processor_seconds, for simulating the machines and writing their traces.",
        {.least = 0, .may_be_absent = true}),
    entry<&PointResult::processor_seconds>("processor_seconds",
                                           "Processor time of all runs on the host: machines, "
                                           "traces, checks and measurements.",
                                           {.least = 0, .may_be_absent = true}),
    composed_entry<PointResult>(
        "measured",
        [](const PointResult& point, Json& object, const Entry<PointResult>& entry) {
            object[entry.key] = means_of(point.measured);
        },
        [](const Json& object, PointResult& point, const Entry<PointResult>& entry) {
            read_estimates(object, entry.key, point.measured);
        }),
    composed_entry<PointResult>(
        "confidence_half_width_95", write_half_widths,
        [](const Json& /*object*/, PointResult& /*point*/, const Entry<PointResult>& /*entry*/) {}),
    composed_entry<PointResult>("precision", write_precision, read_precision, false),
    entry<&PointResult::round_trip>("round_trip", "", {.definition = "round_trip"}),
    composed_entry<PointResult>("network", write_network, read_network),
    composed_entry<PointResult>("predicted", write_predictions, read_predictions),
    composed_entry<PointResult>(
        "compared",
        [](const PointResult& point, Json& object, const Entry<PointResult>& entry) {
            object[entry.key] = means_of(point.compared);
        },
        [](const Json& object, PointResult& point, const Entry<PointResult>& entry) {
            read_estimates(object, entry.key, point.compared);
        }),
    composed_entry<PointResult>("published", write_published, read_published),
    composed_entry<PointResult>(
        kRest,
        [](const PointResult& point, Json& object, const Entry<PointResult>& /*entry*/) {
            object.update(*point.particulars);
        },
        [](const Json& object, PointResult& point, const Entry<PointResult>& /*entry*/) {
            read_particulars(object, *point.particulars);
        }),
};

namespace {

template <class T>
void write_version(const T& /*result*/, Json& object, const Entry<T>& entry) {
    object[entry.key] = setup::kVersion;
}

template <class T>
void read_nothing(const Json& /*object*/, T& /*result*/, const Entry<T>& /*entry*/) {}

// The entries of a single point are merged into those of its experiment.
void write_points(const ExperimentResult& result, Json& object,
                  const Entry<ExperimentResult>& entry) {
    if (result.points.size() == 1) {
        object.update(written(result.points.front()), true);
        object["wall_seconds"] = result.wall_seconds;
    } else {
        object[entry.key] = written(result.points);
    }
    object.update(*result.particulars);
}

void read_points(const Json& object, ExperimentResult& result,
                 const Entry<ExperimentResult>& entry) {
    if (!object.contains(entry.key)) {
        result.points.push_back(read_from<PointResult>(object));
        return;
    }
    read_particulars(object, *result.particulars);
    read_value(object.at(entry.key), result.points);
}

}  // namespace

template <>
inline constexpr std::array kEntries<SensitivityResult>{
    entry<&SensitivityResult::what>("what", "", {.is_filled = true}),
    entry<&SensitivityResult::variants>("variants", "", {.definition = "point"}),
};

template <>
inline constexpr std::array kEntries<ExperimentResult>{
    composed_entry<ExperimentResult>("weir", write_version, read_nothing),
    entry<&ExperimentResult::file>("experiment", "Experiment file as the user named it.",
                                   {.is_filled = true}),
    entry<&ExperimentResult::title>("title"),
    entry<&ExperimentResult::description>("description",
                                          "Description in the file; empty without one."),
    entry<&ExperimentResult::kernel>("kernel", "", {.definition = "kernel"}),
    entry<&ExperimentResult::leading_metric>(
        "leading_metric", "Main metric, at the top of the page; empty if no point has it."),
    entry<&ExperimentResult::warmup_cycles>("warmup_cycles",
                                            "First cycle of the measurement: messages handled, or "
                                            "open-loop packets generated, before it do not count.",
                                            {.least = 0}),
    entry<&ExperimentResult::wall_seconds>(
        "wall_seconds", "Wall time of the whole experiment on the host.", {.least = 0}),
    entry<&ExperimentResult::folder>("folder", "Folder of the run's files.", {.is_filled = true}),
    entry<&ExperimentResult::runs_left>(
        "runs_left", "Number of simulations that had not ended; only if interrupted.",
        {.least = 1, .may_be_absent = true}),
    entry<&ExperimentResult::endings>(
        "endings", "Runs without a result, and how each ended; absent if there are none.",
        {.is_filled = true, .may_be_absent = true, .definition = "ending"}),
    composed_entry<ExperimentResult>("points", write_points, read_points),
    entry<&ExperimentResult::sensitivity>(
        "sensitivity", "Rows of the sensitivity table, each with the points of its variants.",
        {.definition = "sensitivity"}),
};

template <>
inline constexpr std::array kEntries<StudyResult>{
    composed_entry<StudyResult>("weir", write_version, read_nothing),
    entry<&StudyResult::file>("study", "Study file as the user named it.", {.is_filled = true}),
    entry<&StudyResult::title>("title"),
    entry<&StudyResult::description>("description", "Description in the file; empty without one."),
    entry<&StudyResult::wall_seconds>("wall_seconds", "Wall time of the whole study on the host.",
                                      {.least = 0}),
    entry<&StudyResult::folder>("folder", "Folder of the run's files.", {.is_filled = true}),
    entry<&StudyResult::parts>("parts", "", {.is_filled = true, .definition = "experiment_result"}),
};

template <>
inline constexpr std::array kEntries<SimulationResult>{
    composed_entry<SimulationResult>(
        "end",
        [](const SimulationResult& result, Json& object, const Entry<SimulationResult>& entry) {
            object[entry.key] = static_cast<int>(result.end);
        },
        [](const Json& object, SimulationResult& result, const Entry<SimulationResult>& entry) {
            const Json& json = object.at(entry.key);
            result.end = static_cast<nodes::RunEnd>(whole_number<std::uint8_t>(json));
            if (nodes::run_end_name(result.end).empty()) {
                throw Json::out_of_range::create(
                    406, json.dump() + " is not the number of a run's end", &json);
            }
        }),
    entry<&SimulationResult::seed>("seed"),
    entry<&SimulationResult::cycles>("cycles", "", {.least = 0}),
    entry<&SimulationResult::wall_seconds>("wall_seconds", "", {.least = 0}),
    entry<&SimulationResult::messages>("messages", "", {.least = 0}),
    entry<&SimulationResult::machine_seconds>("machine_seconds", "", {.least = 0}),
    entry<&SimulationResult::processor_seconds>("processor_seconds", "", {.least = 0}),
    entry<&SimulationResult::measured, &Measured::metrics>("metrics"),
    entry<&SimulationResult::measured, &Measured::round_trip>("round_trip"),
    entry<&SimulationResult::measured, &Measured::model_inputs>("model_inputs"),
    entry<&SimulationResult::measured, &Measured::particulars>("particulars"),
    entry<&SimulationResult::facts>("facts"),
    entry<&SimulationResult::explanation>("explanation"),
    entry<&SimulationResult::wrong_answer>("wrong_answer"),
    entry<&SimulationResult::measured, &Measured::interval>("interval"),
    entry<&SimulationResult::failure>("failure", "", {.may_be_absent = true}),
    entry<&SimulationResult::exit_status>("exit_status", "", {.may_be_absent = true}),
};

namespace {

template <class T>
bool declares(const std::string& name) {
    return std::any_of(kEntries<T>.begin(), kEntries<T>.end(),
                       [&name](const Entry<T>& entry) { return name == entry.key; });
}

void read_particulars(const Json& json, Particulars& particulars) {
    for (const auto& [name, value] : json.items()) {
        if (!declares<ExperimentResult>(name) && !declares<PointResult>(name)) {
            particulars[name] = value;
        }
    }
}

template <class T>
std::string file_text(const T& result) {
    return json_text(written(result), 1) + "\n";
}

}  // namespace

Json to_json(const SteadyInterval& interval) { return written(interval); }
Json to_json(const RunEnding& ending) { return written(ending); }
Json to_json(const ExperimentResult& result) { return written(result); }
Json to_json(const StudyResult& result) { return written(result); }
Json to_json(const SimulationResult& result) { return written(result); }

std::string json_text_of(const ExperimentResult& result) { return file_text(result); }
std::string json_text_of(const StudyResult& result) { return file_text(result); }
std::string json_text_of(const SimulationResult& result) { return file_text(result); }

SteadyInterval steady_interval_from(const Json& json) { return read_from<SteadyInterval>(json); }
ExperimentResult experiment_result_from(const Json& json) {
    return read_from<ExperimentResult>(json);
}
StudyResult study_result_from(const Json& json) { return read_from<StudyResult>(json); }
SimulationResult simulation_result_from(const Json& json) {
    return read_from<SimulationResult>(json);
}

Json metrics_to_json(const Metrics& metrics) { return written(metrics); }
Metrics metrics_from(const Json& json) { return read_from<Metrics>(json); }

void add_result_entries(Json& definitions) {
    add_entries<SteadyInterval>(definitions.at("run_interval"));
    add_entries<Replications>(definitions.at("precision"));
    definitions.at("precision").at("required") = {"metric"};
    add_entries<RoutingFacts>(definitions.at("network_of_routers"));
    add_entries<setup::Published>(definitions.at("published").at("properties").at("METRIC"));
    add_entries<SensitivityResult>(definitions["sensitivity"]);
    add_entries<RunEnding>(definitions["ending"]);
    add_entries<PointResult>(definitions.at("point"));
    add_entries<StudyResult>(definitions.at("study"));
    add_entries<ExperimentResult>(definitions.at("experiment_of_several_points"));
    // The entries of a single point are merged into those of its experiment.
    Json& of_one = definitions.at("experiment_of_one_point");
    add_entries<PointResult>(of_one);
    add_entries<ExperimentResult>(of_one);
    of_one.at("properties").erase("points");
    Json required = Json::array();
    for (const Json& key : of_one.at("required")) {
        if (key != "points" && std::find(required.begin(), required.end(), key) == required.end()) {
            required.push_back(key);
        }
    }
    of_one.at("required") = required;
}

}  // namespace weir::experiments::records
