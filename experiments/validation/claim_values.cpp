#include "experiments/validation/claim_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

#include "experiments/analyses/model_questions/model_inputs.h"
#include "experiments/kinds/kind.h"
#include "experiments/models/catalogue/catalogue.h"
#include "experiments/models/model_error.h"
#include "experiments/running/processes/explained_run.h"
#include "experiments/setup/files/experiment_file.h"

namespace weir::experiments::validation {

namespace {

using setup::Place;
using setup::UserFault;

// Runs the action; a UserFault gets the claim's place in front of its own.
template <class Action>
auto told_at(const Place& place, Action&& action) {
    try {
        return std::forward<Action>(action)();
    } catch (const UserFault& fault) {
        throw UserFault(place.text() + ": " + fault.what());
    } catch (const models::ModelError& error) {
        throw UserFault(place, error.fault());
    }
}

void require_metric(const std::string& metric, const Place& place) {
    const std::vector<std::string> names = records::names_of(kinds::all_metrics());
    if (std::find(names.begin(), names.end(), metric) == names.end()) {
        throw UserFault(place, fmt::format("no metric \"{}\"", metric),
                        R"(a name under "measured" or "compared" in weir run --json)",
                        setup::nearest_name(metric, names));
    }
}

double cell_of(const models::Model& model, const AnswerOfModel& answer) {
    const auto table =
        std::find_if(model.tables().begin(), model.tables().end(),
                     [&](const models::OutputTable* each) { return each->name() == answer.table; });
    if (table == model.tables().end()) {
        std::vector<std::string> names;
        for (const models::OutputTable* each : model.tables()) {
            names.push_back(each->name());
        }
        throw setup::unknown_name({model.name()}, "table", answer.table, names);
    }
    std::vector<std::string> columns;
    for (const models::OutputTable::Column& column : (*table)->columns()) {
        columns.push_back(column.name);
    }
    const auto column = std::find(columns.begin(), columns.end(), answer.column);
    if (column == columns.end()) {
        throw setup::unknown_name({model.name()}, "column", answer.column, columns);
    }
    if (answer.row >= (*table)->rows().size()) {
        throw UserFault({model.name()}, fmt::format("{} has no row {}", answer.table, answer.row),
                        fmt::format("0 to {}", (*table)->rows().size() - 1));
    }
    const models::OutputTable::Cell& cell = (*table)->rows()[answer.row][column - columns.begin()];
    if (!std::holds_alternative<double>(cell)) {
        throw UserFault({model.name()}, answer.column + " is a text", "a column of numbers");
    }
    return std::get<double>(cell);
}

double output_of(const models::Model& model, const AnswerOfModel& answer) {
    const models::Output* output = model.find_output(answer.output);
    if (output == nullptr) {
        std::vector<std::string> names;
        for (const models::Output* each : model.outputs()) {
            names.push_back(each->name());
        }
        throw setup::unknown_name({model.name()}, "output", answer.output, names);
    }
    if (!output->value()) {
        throw UserFault({model.name()}, answer.output + " has no value for these inputs");
    }
    return *output->value();
}

double answer_of(const AnswerOfModel& answer) {
    const models::Models models = models::all_models();
    models::Model& model = analyses::find_model(models, answer.model);
    analyses::ModelInputs(model).give_all(answer.inputs);
    for (const models::Input* input : model.inputs()) {
        if (!input->value()) {
            throw UserFault({model.name()}, "its input " + input->name() + " is not given");
        }
    }
    model.solve();
    return answer.output.empty() ? cell_of(model, answer) : output_of(model, answer);
}

}  // namespace

ClaimValues::ClaimValues(const std::vector<Claim>& claims, running::RunOptions options)
    : options_(std::move(options)) {
    options_.keep_traces = false;
    for (const Claim& claim : claims) {
        if (claim.ours) {
            collect(*claim.ours);
        }
    }
    // Other points of the file may not accept these settings.
    for (std::size_t i = 0; i < experiments_.size(); ++i) {
        told_at(places_[i], [&] { running::check_experiment(experiments_[i]); });
    }
}

void ClaimValues::collect(const ClaimValue& value) {
    if (const auto* metric = std::get_if<MetricOfRun>(&value.from)) {
        collect_run(*metric, value.place);
    } else if (const auto* answer = std::get_if<AnswerOfModel>(&value.from)) {
        answers_[answer] = told_at(value.place, [answer] { return answer_of(*answer); });
    } else if (const auto* relation = std::get_if<Relation>(&value.from)) {
        for (const ClaimValue& operand : relation->operands) {
            collect(operand);
        }
    }
}

void ClaimValues::collect_run(const MetricOfRun& metric, const Place& place) {
    require_metric(metric.metric, place);
    std::vector<std::string> key{metric.file.string()};
    key.insert(key.end(), metric.settings.begin(), metric.settings.end());
    const auto [found, is_new] = experiment_of_.try_emplace(key, experiments_.size());
    if (is_new) {
        running::RunOptions experiment = options_;
        experiment.file = metric.file;
        experiment.set_options.insert(experiment.set_options.begin(), metric.settings.begin(),
                                      metric.settings.end());
        experiment.permissions.has_only_users_settings = metric.settings.empty();
        experiments_.push_back(experiment);
        places_.push_back(place);
    }
    running::RunOptions& experiment = experiments_[found->second];
    const std::vector<setup::Point> points = told_at(place, [&experiment] {
        return setup::ExperimentFile::read(experiment.file, experiment.presets,
                                           experiment.set_options)
            .points();
    });
    std::vector<std::string> labels;
    labels.reserve(points.size());
    for (const setup::Point& point : points) {
        labels.push_back(point.label);
    }
    const bool is_label = std::find(labels.begin(), labels.end(), metric.point) != labels.end();
    if (metric.point.empty() && labels.size() > 1) {
        throw UserFault(place, metric.experiment + " has several points", "point = \"LABEL\"");
    }
    if (!metric.point.empty() && !is_label) {
        throw setup::unknown_name(place, "point", metric.point, labels);
    }
    const std::string& label = metric.point.empty() ? labels.front() : metric.point;
    if (std::find(experiment.points.begin(), experiment.points.end(), label) ==
        experiment.points.end()) {
        experiment.points.push_back(label);
    }
}

void ClaimValues::run_experiments(const std::filesystem::path& folder) {
    std::set<std::filesystem::path> folders;
    for (running::RunOptions& experiment : experiments_) {
        const std::string name = experiment.file.stem().string();
        std::filesystem::path own = folder / name;
        for (int number = 2; !folders.insert(own).second; ++number) {
            own = folder / fmt::format("{}-{}", name, number);
        }
        experiment.folder = own;
    }
    results_.clear();
    for (records::ExperimentResult& result : running::run_experiments(experiments_)) {
        results_.emplace_back(std::move(result));
    }
}

void ClaimValues::take_results(std::vector<std::optional<records::ExperimentResult>> results) {
    results_ = std::move(results);
}

double ClaimValues::value_of(const ClaimValue& value) const {
    if (const auto* number = std::get_if<double>(&value.from)) {
        return *number;
    }
    if (const auto* metric = std::get_if<MetricOfRun>(&value.from)) {
        return metric_of(*metric, value.place);
    }
    if (const auto* answer = std::get_if<AnswerOfModel>(&value.from)) {
        return answers_.at(answer);
    }
    return related(std::get<Relation>(value.from), value.place);
}

records::Metrics ClaimValues::models_of(const ClaimValue& value) const {
    records::Metrics models;
    if (const auto* metric = std::get_if<MetricOfRun>(&value.from)) {
        for (const records::Prediction& prediction : point_of(*metric, value.place).predictions) {
            if (const auto found = records::find_metric(prediction.metrics, metric->metric)) {
                models.emplace_back(prediction.model, *found);
            }
        }
    }
    return models;
}

std::vector<records::Explanation> ClaimValues::explanations_of(const MetricOfRun& metric,
                                                               const Place& place) const {
    std::vector<std::string> key{metric.file.string()};
    key.insert(key.end(), metric.settings.begin(), metric.settings.end());
    running::RunOptions options = options_;
    options.set_options.clear();  // the run's own configuration has them
    options.points = {point_of(metric, place).label};
    const std::string folder = results_.at(experiment_of_.at(key))->folder;
    return told_at(place, [&] {
        return running::explain_run(folder, {}, options).points.front().explanations;
    });
}

const records::PointResult& ClaimValues::point_of(const MetricOfRun& metric,
                                                  const Place& place) const {
    std::vector<std::string> key{metric.file.string()};
    key.insert(key.end(), metric.settings.begin(), metric.settings.end());
    const std::optional<records::ExperimentResult>& result = results_.at(experiment_of_.at(key));
    if (!result) {
        throw UserFault(place, metric.experiment + " did not end well");
    }
    return *std::find_if(result->points.begin(), result->points.end(),
                         [&metric](const records::PointResult& each) {
                             return metric.point.empty() || each.label == metric.point;
                         });
}

double ClaimValues::metric_of(const MetricOfRun& metric, const Place& place) const {
    const records::PointResult& point = point_of(metric, place);
    if (const auto found = records::find_comparable(point, metric.metric)) {
        return found->mean;
    }
    std::vector<std::string> names;
    for (const std::vector<records::Estimate>* estimates : {&point.measured, &point.compared}) {
        for (const records::Estimate& estimate : *estimates) {
            names.push_back(estimate.name);
        }
    }
    throw UserFault(place, fmt::format("{} gave no {}", metric.experiment, metric.metric),
                    setup::quoted_list(names));
}

double ClaimValues::related(const Relation& relation, const Place& place) const {
    std::vector<double> values;
    for (const ClaimValue& operand : relation.operands) {
        values.push_back(value_of(operand));
    }
    const auto quotient = [&] {
        if (values[1] == 0.0) {
            throw UserFault(place, "the divisor is 0", "a divisor that is not 0");
        }
        return values[0] / values[1];
    };
    switch (relation.kind) {
        case Relation::Kind::kSum:
            return std::accumulate(values.begin(), values.end(), 0.0);
        case Relation::Kind::kDifference:
            return values[0] - values[1];
        case Relation::Kind::kProduct:
            return std::accumulate(values.begin(), values.end(), 1.0, std::multiplies<>());
        case Relation::Kind::kRatio:
            return quotient();
        case Relation::Kind::kPercentOf:
            return 100.0 * quotient();
        case Relation::Kind::kPercentAbove:
            return 100.0 * (quotient() - 1.0);
        case Relation::Kind::kLargest:
            return *std::max_element(values.begin(), values.end());
        case Relation::Kind::kSmallest:
            return *std::min_element(values.begin(), values.end());
    }
    return 0.0;
}

}  // namespace weir::experiments::validation
