#include "experiments/report/run_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <variant>

#include "experiments/config/toml_tree.h"
#include "experiments/report/chart_style.h"
#include "experiments/report/point_values.h"
#include "experiments/run/report.h"
#include "experiments/run/setup.h"
#include "experiments/run/validation.h"
#include "experiments/sweep/run_outcome.h"

namespace weir::experiments::report {

namespace {

using Row = std::vector<TableCell>;

TableColumn text_column(std::string name) { return {std::move(name), "", false}; }
TableColumn number_column(std::string name, std::string explanation = "") {
    return {std::move(name), std::move(explanation), true};
}

TableCell off_cell(const std::optional<double>& value, const run::Estimate* measured) {
    return value && measured != nullptr && measured->mean != 0.0
               ? percent_cell(100.0 * (*value / measured->mean - 1.0))
               : absent_cell();
}

Row results_row(const run::PointResult& point, const std::string& metric,
                const std::vector<std::string>& models, bool any_published) {
    const run::Estimate* measured = run::find_estimate(point, metric);
    Row row{text_cell(point.label), measured != nullptr
                                        ? interval_cell(measured->mean, measured->half_width)
                                        : absent_cell()};
    for (const std::string& model : models) {
        const std::optional<double> value = predicted_value(point, model, metric);
        row.push_back(number_cell(value));
        row.push_back(off_cell(value, measured));
    }
    if (any_published) {
        const std::vector<double> values = published_values(point, metric);
        const auto value = values.empty() ? std::nullopt : std::optional(values.front());
        row.push_back(number_cell(value));
        row.push_back(off_cell(value, measured));
    }
    return row;
}

TableCell verdict_cell(const run::Check& check) {
    if (!check.allowed) {
        return text_cell("open", TableCell::Mark::kQuiet);
    }
    return check.missed() ? text_cell("missed", TableCell::Mark::kBad)
                          : text_cell("holds", TableCell::Mark::kGood);
}

// "+3.4 %" of a published value, its number for sorting.
TableCell error_cell(const run::Check& check, const std::optional<double>& value) {
    if (!value) {
        return absent_cell();
    }
    const bool in_per_cent = check.published != 0.0 && !check.metric.ends_with("_percent");
    const double difference = *value - check.published;
    std::string text = run::error_against(check.published, *value, check.metric);
    text.erase(text.find_last_not_of(' ') + 1);
    return {text, in_per_cent ? 100.0 * difference / std::abs(check.published) : difference,
            std::nullopt, TableCell::Mark::kNone};
}

Table validation_table(const std::vector<run::Check>& checks) {
    std::vector<std::string> models;
    bool has_points = false;
    for (const run::Check& check : checks) {
        has_points = has_points || !check.point.empty();
        for (const auto& [model, ignored] : check.predicted) {
            if (std::find(models.begin(), models.end(), model) == models.end()) {
                models.push_back(model);
            }
        }
    }
    Table table;
    table.caption = "Published, measured and predicted";
    if (has_points) {
        table.columns.push_back(text_column("point"));
    }
    table.columns.insert(
        table.columns.end(),
        {text_column("metric"), text_column("published in"), number_column("published"),
         number_column("measured"),
         number_column("error", "of the measured, against the published value"),
         number_column("within", "the largest distance accepted"), text_column("verdict")});
    for (const std::string& model : models) {
        table.columns.push_back(number_column(model));
        table.columns.push_back(number_column("error", "of " + model + ", against the published"));
    }
    for (const run::Check& check : checks) {
        Row row;
        if (has_points) {
            row.push_back(text_cell(check.point));
        }
        const auto& measured = check.measured;
        row.insert(row.end(),
                   {text_cell(spaced_name(check.metric)), text_cell(check.source),
                    number_cell(check.published),
                    measured ? interval_cell(measured->mean, measured->half_width)
                             : text_cell("not measured", TableCell::Mark::kQuiet),
                    error_cell(check, measured ? std::optional(measured->mean) : std::nullopt),
                    number_cell(check.allowed), verdict_cell(check)});
        for (const std::string& model : models) {
            const std::optional<double> value = run::find_metric(check.predicted, model);
            row.push_back(number_cell(value));
            row.push_back(error_cell(check, value));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// What parameters are by default, and what they mean: of all machines, kernels and traffic.
class KnownParameters {
  public:
    explicit KnownParameters(const std::string& kernel) {
        for (const std::unique_ptr<run::Setup>& setup : run::default_setups()) {
            const bool is_own = setup->kernel_name == kernel;
            for (const hw::ParameterGroup* group : setup->groups()) {
                for (const hw::ParameterBase* parameter : group->parameters()) {
                    const std::string key = group->table() + "." + parameter->name();
                    // Kernels share the table [workload], not what is in it.
                    if (is_own || group->table() != "workload") {
                        known_.try_emplace(key, config::toml_text(parameter->default_as_variant()),
                                           parameter->sentence());
                    }
                }
            }
        }
    }
    struct Parameter {
        Parameter(std::string value, std::string text)
            : default_text(std::move(value)), sentence(std::move(text)) {}
        std::string default_text;
        std::string sentence;
    };
    [[nodiscard]] const Parameter* find(const std::string& key) const {
        const auto found = known_.find(key);
        return found == known_.end() ? nullptr : &found->second;
    }

  private:
    std::map<std::string, Parameter> known_;
};

const hw::ParameterValue* value_of(const run::PointResult& point, const std::string& key) {
    for (const auto& [name, value] : point.configuration) {
        if (name == key) {
            return &value;
        }
    }
    return nullptr;
}

// Its value at all points, or "varies".
std::string value_at_all(const run::ExperimentResult& result, const std::string& key,
                         const hw::ParameterValue& value) {
    const bool is_same =
        std::all_of(result.points.begin(), result.points.end(), [&](const run::PointResult& point) {
            const hw::ParameterValue* other = value_of(point, key);
            return other != nullptr && *other == value;
        });
    return is_same ? config::toml_text(value) : "varies";
}

// Every key of any point, once.
std::vector<std::pair<std::string, hw::ParameterValue>> all_values(
    const run::ExperimentResult& result) {
    std::vector<std::pair<std::string, hw::ParameterValue>> all;
    for (const run::PointResult& point : result.points) {
        for (const auto& entry : point.configuration) {
            if (std::none_of(all.begin(), all.end(),
                             [&entry](const auto& known) { return known.first == entry.first; })) {
                all.push_back(entry);
            }
        }
    }
    return all;
}

Table varied_table(const run::ExperimentResult& result) {
    Table table;
    table.caption = "In what the points differ";
    table.columns = {text_column("point")};
    std::vector<std::string> keys;
    for (const auto& [key, value] : all_values(result)) {
        if (value_at_all(result, key, value) == "varies") {
            keys.push_back(key);
            table.columns.push_back(number_column(key));
        }
    }
    for (const run::PointResult& point : result.points) {
        Row row{text_cell(point.label)};
        for (const std::string& key : keys) {
            const hw::ParameterValue* value = value_of(point, key);
            TableCell cell =
                value != nullptr ? text_cell(config::toml_text(*value)) : absent_cell();
            if (value != nullptr && std::holds_alternative<std::int64_t>(*value)) {
                cell.value = static_cast<double>(std::get<std::int64_t>(*value));
            } else if (value != nullptr && std::holds_alternative<double>(*value)) {
                cell.value = std::get<double>(*value);
            }
            row.push_back(std::move(cell));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::vector<std::string> round_trip_parts(const run::ExperimentResult& result) {
    std::vector<std::string> parts;
    for (const run::PointResult& point : result.points) {
        for (const auto& [name, ignored] : point.round_trip) {
            if (std::find(parts.begin(), parts.end(), name) == parts.end()) {
                parts.push_back(name);
            }
        }
    }
    return parts;
}

}  // namespace

std::optional<Table> results_table(const run::ExperimentResult& result) {
    const std::string metric = run::main_metric_of(result);
    if (metric.empty()) {
        return std::nullopt;
    }
    const std::vector<std::string> models = models_of(result);
    const bool any_published = std::any_of(result.points.begin(), result.points.end(),
                                           [&metric](const run::PointResult& point) {
                                               return !published_values(point, metric).empty();
                                           });
    Table table;
    const std::string unit = sweep::unit_of({"measured", metric, 0.0});
    table.caption = spaced_name(metric) +
                    (unit == "1" || metric.find(unit) != std::string::npos ? "" : ", " + unit);
    table.columns = {text_column("point"),
                     number_column("measured",
                                   "mean over the seeds ± half the width of its 95 % "
                                   "confidence interval (Student's t)")};
    const auto add = [&table](const std::string& who) {
        table.columns.push_back(number_column(who));
        table.columns.push_back(number_column("off", who + " against what was measured"));
    };
    for (const std::string& model : models) {
        add(model);
    }
    if (any_published) {
        add("published");
    }
    for (const run::PointResult& point : result.points) {
        table.rows.push_back(results_row(point, metric, models, any_published));
    }
    return table;
}

Table metrics_table(const run::ExperimentResult& result) {
    Table table;
    table.caption = "Means over the seeds with 95 % confidence intervals";
    table.columns = {text_column("point"), text_column("metric"), number_column("measured"),
                     text_column("unit")};
    for (const run::PointResult& point : result.points) {
        for (const auto* estimates : {&point.measured, &point.compared}) {
            for (const run::Estimate& each : *estimates) {
                const std::string unit = sweep::unit_of({"measured", each.name, 0.0});
                table.rows.push_back({text_cell(point.label), text_cell(spaced_name(each.name)),
                                      interval_cell(each.mean, each.half_width),
                                      text_cell(unit == "1" ? "" : unit)});
            }
        }
    }
    return table;
}

std::optional<Table> round_trip_table(const run::ExperimentResult& result) {
    const std::vector<std::string> parts = round_trip_parts(result);
    if (parts.empty()) {
        return std::nullopt;
    }
    Table table;
    table.caption = "Where the cycles go: means over the seeds, cycles";
    table.columns = {text_column("part")};
    for (const run::PointResult& point : result.points) {
        table.columns.push_back(number_column(point.label));
    }
    for (const std::string& part : parts) {
        Row row{text_cell(spaced_name(part))};
        for (const run::PointResult& point : result.points) {
            row.push_back(number_cell(run::find_metric(point.round_trip, part)));
        }
        table.rows.push_back(std::move(row));
    }
    Row sums{text_cell("sum")};
    for (const run::PointResult& point : result.points) {
        double sum = 0.0;
        for (const auto& [ignored, cycles] : point.round_trip) {
            sum += cycles;
        }
        sums.push_back(point.round_trip.empty() ? absent_cell() : number_cell(sum));
    }
    table.rows.push_back(std::move(sums));
    return table;
}

std::optional<Table> model_inputs_table(const run::ExperimentResult& result) {
    std::vector<std::string> inputs;
    bool any = false;
    for (const run::PointResult& point : result.points) {
        for (const run::Prediction& prediction : point.predictions) {
            any = true;
            for (const auto& [name, ignored] : prediction.inputs) {
                if (std::find(inputs.begin(), inputs.end(), name) == inputs.end()) {
                    inputs.push_back(name);
                }
            }
        }
    }
    if (!any) {
        return std::nullopt;
    }
    Table table;
    table.caption = "What the models were asked with";
    table.columns = {text_column("point"), text_column("model")};
    for (const std::string& input : inputs) {
        table.columns.push_back(number_column(spaced_name(input)));
    }
    table.columns.push_back(text_column("says nothing, since"));
    bool all_say = true;
    for (const run::PointResult& point : result.points) {
        for (const run::Prediction& prediction : point.predictions) {
            Row row{text_cell(point.label), text_cell(prediction.model)};
            for (const std::string& input : inputs) {
                row.push_back(number_cell(run::find_metric(prediction.inputs, input)));
            }
            row.push_back(text_cell(prediction.not_applicable));
            all_say = all_say && prediction.not_applicable.empty();
            table.rows.push_back(std::move(row));
        }
    }
    if (all_say) {
        table.columns.pop_back();
        for (Row& row : table.rows) {
            row.pop_back();
        }
    }
    return table;
}

Section validation_section(const run::ExperimentResult& result) {
    Section section;
    section.title = "Validation";
    const std::vector<run::Check> checks = run::validate(result);
    if (checks.empty()) {
        return section;
    }
    const auto count = [&checks](const auto& which) {
        return std::count_if(checks.begin(), checks.end(), which);
    };
    const auto checked = count([](const run::Check& c) { return c.allowed.has_value(); });
    const auto missed = count([](const run::Check& c) { return c.missed(); });
    section.blocks.emplace_back(Paragraph{fmt::format(
        "{} of {} checked values hold; {} are open: shown, without a tolerance. As weir validate "
        "computes it.",
        checked - missed, checked, static_cast<std::ptrdiff_t>(checks.size()) - checked)});
    section.blocks.emplace_back(validation_table(checks));
    return section;
}

std::optional<Table> sensitivity_table(const run::ExperimentResult& result) {
    const std::string metric = run::main_metric_of(result);
    if (result.sensitivity.empty() || metric.empty()) {
        return std::nullopt;
    }
    const run::Estimate* base = run::find_estimate(result.points.front(), metric);
    Table table;
    table.caption = spaced_name(metric) + " where one thing is otherwise than in the first point";
    table.columns = {text_column("what"), text_column("variant"), number_column("measured"),
                     number_column("change")};
    for (const run::SensitivityResult& row : result.sensitivity) {
        for (const run::PointResult& variant : row.variants) {
            const run::Estimate* value = run::find_estimate(variant, metric);
            table.rows.push_back(
                {text_cell(row.what), text_cell(variant.label),
                 value != nullptr ? interval_cell(value->mean, value->half_width) : absent_cell(),
                 off_cell(value != nullptr ? std::optional(value->mean) : std::nullopt, base)});
        }
    }
    return table;
}

Section configuration_section(const run::ExperimentResult& result) {
    Section section;
    section.title = "Configuration";
    if (result.points.size() > 1) {
        section.blocks.emplace_back(varied_table(result));
    }
    const KnownParameters known(result.kernel);
    Table changed;
    changed.caption = "Not as by default";
    changed.columns = {text_column("key"), number_column("value"), number_column("default"),
                       text_column("meaning")};
    Table rest = changed;
    rest.caption = "As by default";
    rest.columns.erase(rest.columns.begin() + 2);
    for (const auto& [key, value] : all_values(result)) {
        const std::string text = value_at_all(result, key, value);
        const KnownParameters::Parameter* parameter = known.find(key);
        const std::string sentence = parameter != nullptr ? parameter->sentence : "";
        if (parameter != nullptr && parameter->default_text == text) {
            rest.rows.push_back({text_cell(key), text_cell(text), text_cell(sentence)});
        } else {
            changed.rows.push_back(
                {text_cell(key), text_cell(text),
                 parameter != nullptr ? text_cell(parameter->default_text) : absent_cell(),
                 text_cell(sentence)});
        }
    }
    section.blocks.emplace_back(std::move(changed));
    Section folded;
    folded.title = fmt::format("{} parameters as by default", rest.rows.size());
    folded.is_folded = true;
    folded.blocks.emplace_back(std::move(rest));
    section.parts.push_back(std::move(folded));
    return section;
}

}  // namespace weir::experiments::report
