#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <variant>

#include "experiments/kinds/kind.h"
#include "experiments/kinds/setup.h"
#include "experiments/pages/run_sections.h"
#include "experiments/records/point_values.h"
#include "experiments/records/saturation.h"
#include "experiments/records/validation.h"
#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using Row = std::vector<records::TableCell>;
using records::number_column;
using records::text_column;

// Relative error of a value in per cent.
records::TableCell off_cell(const std::optional<double>& value, const records::Estimate* measured) {
    return value && measured != nullptr && measured->mean != 0.0
               ? records::percent_cell(100.0 * (*value / measured->mean - 1.0))
               : records::absent_cell();
}

Row results_row(const records::PointResult& point, const std::string& metric,
                const std::vector<std::string>& models, bool any_published, bool any_change) {
    const records::Estimate* measured = records::find_estimate(point, metric);
    Row row{records::text_cell(point.label), records::measured_cell(point, metric)};
    for (const std::string& model : models) {
        const std::optional<double> value = records::predicted_value(point, model, metric);
        row.push_back(records::number_cell(value));
        row.push_back(off_cell(value, measured));
    }
    if (any_published) {
        const std::vector<double> values = records::published_values(point, metric);
        const auto value = values.empty() ? std::nullopt : std::optional(values.front());
        row.push_back(records::number_cell(value));
        row.push_back(off_cell(value, measured));
    }
    if (any_change) {
        const auto change =
            records::find_comparable(point, kinds::over_other_point_percent().name());
        row.push_back(change ? records::percent_cell(change->mean) : records::absent_cell());
        row.push_back(records::text_cell(point.against));
    }
    return row;
}

// Transposes a single point's row: one row per source.
void turn_to_rows(const records::PointResult& point, const std::string& metric,
                  const std::vector<std::string>& models, records::Table& table) {
    table.columns = {text_column("source"), number_column(setup::spaced_name(metric)),
                     number_column("off", "against the measured value")};
    const records::Estimate* measured = records::find_estimate(point, metric);
    table.rows.push_back({records::text_cell("measured"), records::measured_cell(point, metric),
                          records::absent_cell()});
    for (const std::string& model : models) {
        const std::optional<double> value = records::predicted_value(point, model, metric);
        table.rows.push_back(
            {records::text_cell(model), records::number_cell(value), off_cell(value, measured)});
    }
    for (const double value : records::published_values(point, metric)) {
        table.rows.push_back({records::text_cell("published"), records::number_cell(value),
                              off_cell(value, measured)});
    }
}

records::TableCell verdict_cell(const records::Check& check) {
    if (!check.allowed) {
        return records::text_cell("open", records::TableCell::Mark::kQuiet);
    }
    return check.missed() ? records::text_cell("missed", records::TableCell::Mark::kBad)
                          : records::text_cell("holds", records::TableCell::Mark::kGood);
}

records::TableCell measured_cell(const records::Check& check) {
    if (check.measured) {
        return records::interval_cell(check.measured->mean, check.measured->half_width);
    }
    return check.saturation.empty()
               ? records::text_cell("not measured", records::TableCell::Mark::kQuiet)
               : records::text_cell(check.saturation, records::TableCell::Mark::kBad);
}

// Cell of a published value's error: "+3.4 %", with its number for sorting.
records::TableCell error_cell(const records::Check& check, const std::optional<double>& value) {
    if (!value) {
        return records::absent_cell();
    }
    const bool in_per_cent = check.published != 0.0 && !check.metric.ends_with("_percent");
    const double difference = *value - check.published;
    std::string text = records::error_against(check.published, *value, check.metric);
    text.erase(text.find_last_not_of(' ') + 1);
    return {text, in_per_cent ? 100.0 * difference / std::abs(check.published) : difference,
            std::nullopt, records::TableCell::Mark::kNone};
}

records::Table validation_table(const std::vector<records::Check>& checks) {
    std::vector<std::string> models;
    bool has_points = false;
    for (const records::Check& check : checks) {
        has_points = has_points || !check.point.empty();
        for (const auto& [model, ignored] : check.predicted) {
            if (std::find(models.begin(), models.end(), model) == models.end()) {
                models.push_back(model);
            }
        }
    }
    records::Table table;
    table.caption = "Published, measured and predicted";
    if (has_points) {
        table.columns.push_back(text_column("point"));
        table.keys = 2;
    }
    table.columns.insert(
        table.columns.end(),
        {text_column("metric"), number_column("published"), number_column("measured"),
         number_column("error", "error of the measured value against the published one"),
         number_column("within", "largest accepted error"), text_column("verdict"),
         text_column("published in")});
    for (const std::string& model : models) {
        table.columns.push_back(number_column(model));
        table.columns.push_back(records::off_column("of " + model + ", against the published"));
    }
    for (const records::Check& check : checks) {
        Row row;
        if (has_points) {
            row.push_back(records::text_cell(check.point));
        }
        const auto& measured = check.measured;
        row.insert(row.end(),
                   {records::text_cell(setup::spaced_name(check.metric)),
                    records::number_cell(check.published), measured_cell(check),
                    error_cell(check, measured ? std::optional(measured->mean) : std::nullopt),
                    records::number_cell(check.allowed), verdict_cell(check),
                    records::text_cell(check.source)});
        for (const std::string& model : models) {
            const std::optional<double> value = records::find_metric(check.predicted, model);
            row.push_back(records::number_cell(value));
            row.push_back(error_cell(check, value));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// Defaults and sentences of parameters: those of the machine, and those of programs and traffic.
class KnownParameters {
  public:
    explicit KnownParameters(const std::string& workload) {
        const std::unique_ptr<kinds::Setup> setup = kinds::default_setup(workload);
        for (const hw::ParameterGroup* group : setup->groups()) {
            // Each kernel has its own parameters in the table [workload].
            if (group->table() == "workload" && setup->kernel_name != workload) {
                continue;
            }
            for (const hw::ParameterBase* parameter : group->parameters()) {
                known_.try_emplace(group->table() + "." + parameter->name(),
                                   setup::toml_text(parameter->default_as_variant()),
                                   parameter->sentence());
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

const hw::ParameterValue* value_of(const records::PointResult& point, const std::string& key) {
    for (const auto& [name, value] : point.configuration) {
        if (name == key) {
            return &value;
        }
    }
    return nullptr;
}

// A key's value if equal at all points, else "varies".
std::string value_at_all(const records::ExperimentResult& result, const std::string& key,
                         const hw::ParameterValue& value) {
    const bool is_same = std::all_of(result.points.begin(), result.points.end(),
                                     [&](const records::PointResult& point) {
                                         const hw::ParameterValue* other = value_of(point, key);
                                         return other != nullptr && *other == value;
                                     });
    return is_same ? setup::toml_text(value) : "varies";
}

// All keys of all points, without duplicates.
std::vector<std::pair<std::string, hw::ParameterValue>> all_values(
    const records::ExperimentResult& result) {
    std::vector<std::pair<std::string, hw::ParameterValue>> all;
    for (const records::PointResult& point : result.points) {
        for (const auto& entry : point.configuration) {
            if (std::none_of(all.begin(), all.end(),
                             [&entry](const auto& known) { return known.first == entry.first; })) {
                all.push_back(entry);
            }
        }
    }
    return all;
}

records::Table varied_table(const records::ExperimentResult& result) {
    records::Table table;
    table.caption = "Differences between the points";
    table.columns = {text_column("point")};
    std::vector<std::string> keys;
    for (const auto& [key, value] : all_values(result)) {
        if (value_at_all(result, key, value) == "varies") {
            keys.push_back(key);
            table.columns.push_back(number_column(key));
        }
    }
    for (const records::PointResult& point : result.points) {
        Row row{records::text_cell(point.label)};
        for (const std::string& key : keys) {
            const hw::ParameterValue* value = value_of(point, key);
            records::TableCell cell = value != nullptr
                                          ? records::text_cell(setup::toml_text(*value))
                                          : records::absent_cell();
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

std::vector<std::string> round_trip_parts(const records::ExperimentResult& result) {
    std::vector<std::string> parts;
    for (const records::PointResult& point : result.points) {
        for (const auto& [name, ignored] : point.round_trip) {
            if (std::find(parts.begin(), parts.end(), name) == parts.end()) {
                parts.push_back(name);
            }
        }
    }
    return parts;
}

void erase_column(records::Table& table, std::size_t column) {
    table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(column));
    for (Row& row : table.rows) {
        row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
    }
    table.keys -= column < table.keys ? 1 : 0;
}

// Drops the column of the point if there is a single point.
records::Table of_points(const records::ExperimentResult& result, records::Table table) {
    if (result.points.size() == 1) {
        erase_column(table, 0);
    }
    return table;
}

}  // namespace

std::optional<records::Table> results_table(const records::ExperimentResult& result,
                                            const std::string& metric) {
    const bool is_told = std::any_of(
        result.points.begin(), result.points.end(), [&](const records::PointResult& point) {
            const bool is_lacking =
                metric == result.leading_metric && records::saturated_runs(point) > 0;
            return is_lacking || records::find_estimate(point, metric) != nullptr;
        });
    if (!is_told) {
        return std::nullopt;
    }
    const std::vector<std::string> models = records::models_of(result);
    const bool any_change =
        metric == result.leading_metric &&
        std::any_of(
            result.points.begin(), result.points.end(), [](const records::PointResult& point) {
                return records::find_comparable(point, kinds::over_other_point_percent().name())
                    .has_value();
            });
    const bool any_published = std::any_of(
        result.points.begin(), result.points.end(), [&metric](const records::PointResult& point) {
            return !records::published_values(point, metric).empty();
        });
    records::Table table;
    const std::string unit = kinds::unit_of(metric);
    table.caption = setup::spaced_name(metric) +
                    (unit == "1" || metric.find(unit) != std::string::npos ? "" : ", " + unit);
    table.columns = {text_column("point"),
                     number_column("measured",
                                   "mean over the seeds ± half the width of its 95 % "
                                   "confidence interval (Student's t)")};
    const auto add = [&table](const std::string& who) {
        table.columns.push_back(number_column(who));
        table.columns.push_back(records::off_column(who + " against the measured value"));
    };
    if (result.points.size() == 1) {
        turn_to_rows(result.points.front(), metric, models, table);
        return table;
    }
    for (const std::string& model : models) {
        add(model);
    }
    if (any_published) {
        add("published");
    }
    if (any_change) {
        table.columns.push_back(number_column("change", "from the point in the next column"));
        table.columns.push_back(text_column("compared with"));
    }
    for (const records::PointResult& point : result.points) {
        table.rows.push_back(results_row(point, metric, models, any_published, any_change));
    }
    return table;
}

std::optional<records::Table> also_predicted_table(const records::ExperimentResult& result) {
    const std::string except = result.leading_metric;
    records::Table table;
    table.keys = 3;
    table.columns = {
        text_column("point"),       text_column("model"),
        text_column("metric"),      number_column("measured"),
        number_column("predicted"), number_column("off", "against the measured value")};
    for (const records::PointResult& point : result.points) {
        for (const records::Prediction& prediction : point.predictions) {
            for (const records::Estimate& measured : point.measured) {
                const auto value = records::find_metric(prediction.metrics, measured.name);
                if (value && measured.name != except) {
                    table.rows.push_back({records::text_cell(point.label),
                                          records::text_cell(prediction.model),
                                          records::text_cell(setup::spaced_name(measured.name)),
                                          records::number_cell(measured.mean),
                                          records::number_cell(value), off_cell(value, &measured)});
                }
            }
        }
    }
    return table.rows.empty() ? std::nullopt : std::optional(of_points(result, std::move(table)));
}

records::Table metrics_table(const records::ExperimentResult& result) {
    records::Table table;
    table.caption = "Means over the seeds with 95 % confidence intervals";
    table.keys = 2;
    table.columns = {text_column("point"), text_column("metric"), number_column("measured"),
                     text_column("unit")};
    for (const records::PointResult& point : result.points) {
        for (const auto* estimates : {&point.measured, &point.compared}) {
            for (const records::Estimate& each : *estimates) {
                const std::string unit = kinds::unit_of(each.name);
                table.rows.push_back({records::text_cell(point.label),
                                      records::text_cell(setup::spaced_name(each.name)),
                                      records::interval_cell(each.mean, each.half_width),
                                      records::text_cell(unit == "1" ? "" : unit)});
            }
        }
    }
    return of_points(result, std::move(table));
}

std::optional<records::Table> round_trip_table(const records::ExperimentResult& result) {
    const std::vector<std::string> parts = round_trip_parts(result);
    if (parts.empty()) {
        return std::nullopt;
    }
    records::Table table;
    table.caption = "Cycles of each part: means over the seeds";
    table.columns = {text_column("part")};
    for (const records::PointResult& point : result.points) {
        table.columns.push_back(number_column(point.label));
    }
    for (const std::string& part : parts) {
        Row row{records::text_cell(setup::spaced_name(part))};
        for (const records::PointResult& point : result.points) {
            row.push_back(records::number_cell(records::find_metric(point.round_trip, part)));
        }
        table.rows.push_back(std::move(row));
    }
    Row sums{records::text_cell("sum")};
    for (const records::PointResult& point : result.points) {
        double sum = 0.0;
        for (const auto& [ignored, cycles] : point.round_trip) {
            sum += cycles;
        }
        sums.push_back(point.round_trip.empty() ? records::absent_cell()
                                                : records::number_cell(sum));
    }
    table.rows.push_back(std::move(sums));
    std::vector<std::size_t> of_points(result.points.size());
    std::iota(of_points.begin(), of_points.end(), 1);
    records::declare_last_row_as_sum(table, of_points);
    return table;
}

std::optional<records::Table> model_inputs_table(const records::ExperimentResult& result) {
    records::Table table;
    table.keys = 2;
    table.columns = {text_column("point"), text_column("model"), text_column("inputs"),
                     text_column("reason for no prediction")};
    bool all_say = true;
    for (const records::PointResult& point : result.points) {
        for (const records::Prediction& prediction : point.predictions) {
            std::string inputs;
            for (const auto& [name, value] : prediction.inputs) {
                inputs += fmt::format("{}{} {}", inputs.empty() ? "" : ", ",
                                      setup::spaced_name(name), setup::shown_number(value));
            }
            table.rows.push_back({records::text_cell(point.label),
                                  records::text_cell(prediction.model), records::text_cell(inputs),
                                  records::text_cell(prediction.not_applicable)});
            all_say = all_say && prediction.not_applicable.empty();
        }
    }
    if (table.rows.empty()) {
        return std::nullopt;
    }
    if (all_say) {
        erase_column(table, table.columns.size() - 1);
    }
    return of_points(result, std::move(table));
}

records::Section validation_section(const records::ExperimentResult& result) {
    records::Section section;
    section.title = "Validation";
    const std::vector<records::Check> checks = records::validate(result);
    if (checks.empty()) {
        return section;
    }
    const auto count = [&checks](const auto& which) {
        return std::count_if(checks.begin(), checks.end(), which);
    };
    const auto checked = count([](const records::Check& c) { return c.allowed.has_value(); });
    const auto missed = count([](const records::Check& c) { return c.missed(); });
    section.blocks.emplace_back(records::Paragraph{fmt::format(
        "{} of {} checked values hold. Values without a tolerance are not checked: {} are open. "
        "weir validate gives the same result.",
        checked - missed, checked, static_cast<std::ptrdiff_t>(checks.size()) - checked)});
    section.blocks.emplace_back(validation_table(checks));
    return section;
}

std::optional<records::Table> sensitivity_table(const records::ExperimentResult& result) {
    const std::string metric = result.leading_metric;
    if (result.sensitivity.empty() || metric.empty()) {
        return std::nullopt;
    }
    const records::Estimate* base = records::find_estimate(result.points.front(), metric);
    records::Table table;
    table.caption = setup::spaced_name(metric) + " with one property changed from the first point";
    table.columns = {text_column("property"), text_column("variant"), number_column("measured"),
                     number_column("change")};
    table.keys = 2;
    for (const records::SensitivityResult& row : result.sensitivity) {
        for (const records::PointResult& variant : row.variants) {
            const records::Estimate* value = records::find_estimate(variant, metric);
            table.rows.push_back(
                {records::text_cell(row.what), records::text_cell(variant.label),
                 records::measured_cell(variant, metric),
                 off_cell(value != nullptr ? std::optional(value->mean) : std::nullopt, base)});
        }
    }
    return table;
}

records::Section configuration_section(const records::ExperimentResult& result) {
    records::Section section;
    section.title = "Configuration";
    section.is_left_out_of_text = true;
    if (result.points.size() > 1) {
        section.blocks.emplace_back(varied_table(result));
    }
    const KnownParameters known(result.kernel);
    records::Table changed;
    changed.caption = "Values other than the defaults";
    changed.columns = {text_column("key"), number_column("value"), number_column("default"),
                       text_column("meaning")};
    records::Table rest = changed;
    rest.caption = "Default values";
    rest.columns.erase(rest.columns.begin() + 2);
    for (const auto& [key, value] : all_values(result)) {
        const std::string text = value_at_all(result, key, value);
        const KnownParameters::Parameter* parameter = known.find(key);
        const std::string sentence = parameter != nullptr ? parameter->sentence : "";
        if (parameter != nullptr && parameter->default_text == text) {
            rest.rows.push_back(
                {records::text_cell(key), records::text_cell(text), records::text_cell(sentence)});
        } else {
            changed.rows.push_back({records::text_cell(key), records::text_cell(text),
                                    parameter != nullptr
                                        ? records::text_cell(parameter->default_text)
                                        : records::absent_cell(),
                                    records::text_cell(sentence)});
        }
    }
    section.blocks.emplace_back(std::move(changed));
    records::Section folded;
    folded.title = fmt::format("{} parameters with default values", rest.rows.size());
    folded.is_folded = true;
    folded.blocks.emplace_back(std::move(rest));
    section.parts.push_back(std::move(folded));
    return section;
}

}  // namespace weir::experiments::pages
