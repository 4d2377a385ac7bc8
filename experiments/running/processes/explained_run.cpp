#include "experiments/running/processes/explained_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "experiments/analyses/explanations/explanation.h"
#include "experiments/kinds/setup.h"
#include "experiments/records/stored_result.h"
#include "experiments/records/validation.h"
#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/parameters/parameter_assignment.h"
#include "experiments/setup/parameters/parameter_effect.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::running {

namespace fs = std::filesystem;

namespace {

using analyses::Assumption;
using records::Explanation;
using statistics::PlayerSet;

constexpr const char* kMachines = "explained";

// Point of the run, with all that is needed to run it again on other machines.
struct Point {
    const records::PointResult* result;
    fs::path folder;                           ///< folder of the idealised machines
    RunOptions options;                        ///< the point as it ran, from its own configuration
    std::vector<std::string> predictions;      ///< predictions to explain
    std::vector<Explanation> as_it_ran;        ///< explanations by values of the trace
    setup::ExperimentFile file;                ///< its configuration, with all models
    analyses::IdealisedAssumptions idealised;  ///< assumptions that machines idealise
};

setup::ExperimentFile read_file(const RunOptions& options) {
    auto file = setup::ExperimentFile::read(options.file, options.presets, options.set_options);
    file.permit(options.permissions);
    return file;
}

// Name of an idealised machine's folder.
std::string machine_name(const analyses::IdealisedAssumptions& idealised, PlayerSet set) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < idealised.assumptions.size(); ++i) {
        if ((set >> i & 1U) != 0) {
            names.push_back(idealised.assumptions[i]->name);
        }
    }
    return fmt::format("without-{}", fmt::join(names, "-"));
}

// Calls `visit` with each given parameter that has no effect.
template <class Visit>
void for_each_without_effect(const setup::SetupCircumstances& circumstances, const Visit& visit) {
    for (const hw::ParameterGroup* group : circumstances.groups()) {
        for (hw::ParameterBase* parameter : group->parameters()) {
            if (parameter->is_given() &&
                !setup::effect_of(*group, *parameter).holds(circumstances)) {
                visit(group->table() + "." + parameter->name(), *parameter);
            }
        }
    }
}

// Settings of an idealised machine. Parameters without effect on it get their defaults.
std::vector<std::string> settings_of(const Point& point, PlayerSet set) {
    const analyses::IdealisedAssumptions& idealised = point.idealised;
    const std::unique_ptr<kinds::Setup> setup =
        kinds::make_setup(point.file, setup::SelectedRun(0));
    const std::vector<hw::ParameterGroup*> groups = setup->groups();
    std::map<std::string, hw::ParameterValue> values;
    const auto set_value = [&](const std::string& key, hw::ParameterBase& parameter,
                               const hw::ParameterValue& value) {
        if (parameter.value_as_variant() != value && parameter.set(value)) {
            values[key] = value;
        }
    };
    for (std::size_t i = 0; i < idealised.assumptions.size(); ++i) {
        for (const analyses::IdealSetting& setting : idealised.settings[i]) {
            const std::size_t dot = setting.key.find('.');
            hw::ParameterBase* parameter = setup::find_parameter(
                setting.key.substr(0, dot), setting.key.substr(dot + 1), groups);
            if ((set >> i & 1U) != 0 && parameter != nullptr) {
                set_value(setting.key, *parameter, setting.value);
            }
        }
    }
    const setup::SetupCircumstances circumstances(groups, setup->kind->facts());
    for (std::size_t before = 0; before != values.size();) {
        before = values.size();
        for_each_without_effect(circumstances, [&](const std::string& key, auto& parameter) {
            set_value(key, parameter, parameter.default_as_variant());
        });
    }
    std::vector<std::string> settings;
    settings.reserve(values.size());
    for (const auto& [key, value] : values) {
        settings.push_back(key + "=" + setup::toml_text(value));
    }
    return settings;
}

// Parameters that have an effect, as the point ran.
analyses::Configuration effective_configuration(const setup::ExperimentFile& file) {
    const std::unique_ptr<kinds::Setup> setup = kinds::make_setup(file, setup::SelectedRun(0));
    const setup::SetupCircumstances circumstances(setup->groups(), setup->kind->facts());
    analyses::Configuration configuration;
    for (const hw::ParameterGroup* group : circumstances.groups()) {
        for (const hw::ParameterBase* parameter : group->parameters()) {
            if (setup::effect_of(*group, *parameter).holds(circumstances)) {
                configuration.emplace_back(group->table() + "." + parameter->name(),
                                           parameter->value_as_variant());
            }
        }
    }
    return configuration;
}

// Assumptions that machines idealise; none for a recorded run, which has no machine to run again.
analyses::IdealisedAssumptions idealised_assumptions(const records::PointResult& point,
                                                     const setup::ExperimentFile& file) {
    return records::particular(point, records::kTraces).empty()
               ? analyses::idealised_assumptions(effective_configuration(file))
               : analyses::IdealisedAssumptions{};
}

// Inputs of all predictions from the file's own inputs, as one setting; empty if there are none.
std::string given_inputs(const records::PointResult& point) {
    std::map<std::string, double> inputs;
    for (const records::Prediction& prediction : point.predictions) {
        if (prediction.model.ends_with(records::kGiven)) {
            inputs.insert(prediction.inputs.begin(), prediction.inputs.end());
        }
    }
    std::string setting;
    for (const auto& [name, value] : inputs) {
        setting += fmt::format(", {} = {}", name, value);
    }
    return setting.empty() ? ""
                           : fmt::format("models.inputs={{ source = \"the run\"{} }}", setting);
}

// Predictions that the run compares and that can be split.
std::vector<std::string> compared_predictions(const records::PointResult& point) {
    const std::vector<std::string>& names = analyses::explained_model_names();
    std::vector<std::string> found;
    for (const records::Prediction& prediction : point.predictions) {
        const bool is_split = std::find(names.begin(), names.end(),
                                        records::model_of(prediction.model)) != names.end();
        if (is_split && prediction.not_applicable.empty()) {
            found.push_back(prediction.model);
        }
    }
    return found;
}

void require_known(const std::vector<std::string>& models) {
    const std::vector<std::string>& names = analyses::explained_model_names();
    for (const std::string& model : models) {
        if (std::find(names.begin(), names.end(), records::model_of(model)) == names.end()) {
            throw setup::unknown_name({"--model " + model}, "model whose error can be split", model,
                                      names);
        }
    }
}

std::string quoted_names() {
    return fmt::format("[\"{}\"]", fmt::join(analyses::explained_model_names(), "\", \""));
}

Point make_point(const records::ExperimentResult& result, const records::PointResult& point,
                 const std::vector<std::string>& models, const RunOptions& options) {
    const std::vector<fs::path> folders = records::folders_of_point(result, point);
    if (folders.empty() || !fs::exists(folders.front() / "configuration.toml")) {
        throw setup::UserFault(
            {result.folder}, "the folders of its runs are missing",
            fmt::format("a complete folder; weir run {} writes it", result.file));
    }
    RunOptions own = options;
    own.file = folders.front() / "configuration.toml";
    own.keep_traces = false;
    own.points.clear();
    own.set_options = {"models.compare=" + quoted_names()};
    if (const std::string inputs = given_inputs(point); !inputs.empty()) {
        own.set_options.push_back(inputs);
    }
    const setup::ExperimentFile file = read_file(own);
    const std::string first = folders.front().filename().string();
    return {.result = &point,
            .folder = fs::path(result.folder) / kMachines / first.substr(0, first.find("-seed-")),
            .options = std::move(own),
            .predictions = models.empty() ? compared_predictions(point) : models,
            .as_it_ran = {},
            .file = file,
            .idealised = idealised_assumptions(point, file)};
}

// Evaluates the stored runs of the point again, with all models whose errors can be split.
records::PointResult evaluate(const records::ExperimentResult& result, const Point& point) {
    std::vector<records::SimulationResult> seeds;
    for (const fs::path& folder : records::folders_of_point(result, *point.result)) {
        seeds.push_back(read_result(folder));
    }
    return evaluate_point(point.file, setup::SelectedRun(0), point.result->label, seeds,
                          analyses::explained_model_names());
}

const Explanation* find(const std::vector<Explanation>& all, const std::string& model) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Explanation& explanation) {
        return explanation.model == model;
    });
    return found == all.end() ? nullptr : &*found;
}

// Throws a fault that says why a prediction cannot be split, and what to run instead.
[[noreturn]] void refuse(const records::ExperimentResult& result,
                         const records::PointResult& evaluated, const std::string& model) {
    for (const records::Prediction& prediction : evaluated.predictions) {
        if (prediction.model == model && !prediction.not_applicable.empty()) {
            throw setup::UserFault(
                {result.folder},
                fmt::format("{} predicts nothing here: {}", model, prediction.not_applicable),
                "a run to which the model applies, such as weir run "
                "logpc/sync-remap.toml");
        }
    }
    throw setup::UserFault(
        {result.folder},
        model.ends_with(records::kGiven)
            ? fmt::format("{} needs the run's own inputs", model)
            : fmt::format("the error of {} is not split for this program or machine", model),
        model.ends_with(records::kGiven)
            ? "a file with [models.inputs]"
            : "a run of requests and replies, of one-way messages, of one long message or of a "
              "program, such as weir run logpc/sync-remap.toml");
}

// Result of an idealised machine all of whose runs have ended; empty if some have not.
std::optional<records::ExperimentResult> complete_result(const fs::path& folder) {
    if (!fs::exists(folder / "result.json")) {
        return std::nullopt;
    }
    records::ExperimentResult result = records::read_stored_result(folder).experiments.front();
    const bool is_complete =
        result.runs_left == 0 && result.endings.empty() && !result.points.empty();
    return is_complete ? std::optional(std::move(result)) : std::nullopt;
}

// Idealised machines that the runs need, each with its folder, and the results of those that ran.
class Machines {
  public:
    void need(const Point& point) {
        const analyses::IdealisedAssumptions& idealised = point.idealised;
        for (const PlayerSet set : statistics::permitted_sets(idealised.before)) {
            if (set == 0) {
                continue;
            }
            RunOptions options = point.options;
            options.folder = point.folder / machine_name(idealised, set);
            for (std::string& setting : settings_of(point, set)) {
                options.set_options.push_back(std::move(setting));
            }
            needed_.emplace(options.folder->string(), std::move(options));
        }
    }
    /// Runs the machines that have no complete result in their folders.
    void run(records::ExplainedRun& explained) {
        std::vector<RunOptions> to_run;
        for (auto& [folder, options] : needed_) {
            if (auto result = complete_result(folder)) {
                explained.machines_kept += 1;
                results_.emplace(folder, *std::move(result));
            } else {
                options.resume = fs::exists(folder);
                to_run.push_back(options);
            }
        }
        explained.machines_run = static_cast<std::int64_t>(to_run.size());
        for (records::ExperimentResult& result : run_experiments(to_run)) {
            const std::string folder = result.folder;
            results_.emplace(folder, std::move(result));
        }
    }
    [[nodiscard]] const records::PointResult& result(const Point& point, PlayerSet set) const {
        const std::string folder = (point.folder / machine_name(point.idealised, set)).string();
        return results_.at(folder).points.front();
    }

  private:
    std::map<std::string, RunOptions> needed_;
    std::map<std::string, records::ExperimentResult> results_;
};

// Explanation of one prediction from the machines' results.
Explanation joined(const Point& point, const Explanation& as_it_ran, const Machines& machines) {
    const analyses::IdealisedAssumptions& idealised = point.idealised;
    std::vector<Explanation> explanations{as_it_ran};
    for (const PlayerSet set : statistics::permitted_sets(idealised.before)) {
        if (set == 0) {
            continue;
        }
        const std::vector<Explanation> of_machine =
            records::explanations_of(machines.result(point, set));
        const Explanation* on_machine = find(of_machine, as_it_ran.model);
        if (on_machine == nullptr) {
            Explanation unsplit = as_it_ran;
            unsplit.not_split = fmt::format("{} predicts nothing for the machine {}",
                                            as_it_ran.model, machine_name(idealised, set));
            return unsplit;
        }
        explanations.push_back(*on_machine);
    }
    return analyses::joined_explanation(idealised, explanations);
}

// Points with these labels; all points if there are none.
std::vector<std::reference_wrapper<const records::PointResult>> chosen_points(
    const records::ExperimentResult& result, const std::vector<std::string>& labels) {
    std::vector<std::string> known;
    std::vector<std::reference_wrapper<const records::PointResult>> chosen;
    for (const records::PointResult& point : result.points) {
        known.push_back(point.label);
        if (labels.empty() ||
            std::find(labels.begin(), labels.end(), point.label) != labels.end()) {
            chosen.emplace_back(point);
        }
    }
    for (const std::string& label : labels) {
        if (std::find(known.begin(), known.end(), label) == known.end()) {
            throw setup::unknown_name({"--point " + label}, "point", label, known);
        }
    }
    return chosen;
}

void require_messages(const records::ExperimentResult& result, const Point& point) {
    if (point.predictions.empty()) {
        throw setup::UserFault(
            {result.folder}, "no prediction of this run can be split by assumptions",
            fmt::format("--model with one of {}, for a run of messages or of a program, such as "
                        "weir run logpc/sync-remap.toml",
                        setup::quoted_list(analyses::explained_model_names())));
    }
}

}  // namespace

records::ExplainedRun explain_run(const fs::path& run, const std::vector<std::string>& models,
                                  const RunOptions& options) {
    require_known(models);
    const records::StoredResult stored = records::read_stored_result(run);
    if (stored.is_study) {
        throw setup::UserFault({run.string()}, "this is a study of several experiments",
                               "the folder of one of its experiments");
    }
    const records::ExperimentResult& result = stored.experiments.front();
    records::ExplainedRun explained{.title = result.title,
                                    .file = result.file,
                                    .folder = (fs::path(result.folder) / kMachines).string(),
                                    .points = {}};
    std::vector<Point> points;
    Machines machines;
    for (const records::PointResult& each : chosen_points(result, options.points)) {
        Point& point = points.emplace_back(make_point(result, each, models, options));
        require_messages(result, point);
        const records::PointResult evaluated = evaluate(result, point);
        point.as_it_ran = records::explanations_of(evaluated);
        for (const std::string& model : point.predictions) {
            if (find(point.as_it_ran, model) == nullptr) {
                refuse(result, evaluated, model);
            }
        }
        machines.need(point);
    }
    machines.run(explained);
    for (const Point& point : points) {
        records::ExplainedPoint& of_point = explained.points.emplace_back();
        of_point.label = point.result->label;
        for (const std::string& model : point.predictions) {
            of_point.explanations.push_back(joined(point, *find(point.as_it_ran, model), machines));
        }
    }
    return explained;
}

}  // namespace weir::experiments::running
