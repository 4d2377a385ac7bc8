#include "experiments/pages/model_fit_page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "experiments/setup/text/counted_text.h"

namespace weir::experiments::pages {

namespace {

using nlohmann::ordered_json;
using records::FittedValue;

template <class T>
ordered_json optional_json(const std::optional<T>& value) {
    return value ? ordered_json(*value) : ordered_json();
}

std::string parameter_name(const FittedValue& value) {
    return value.message_bytes ? fmt::format("{} ({} B)", value.name, *value.message_bytes)
                               : value.name;
}

records::TableCell fitted_cell(const FittedValue& value) {
    if (!value.value) {
        return records::text_cell("not told", records::TableCell::Mark::kQuiet);
    }
    if (value.is_upper_bound) {
        return records::text_cell(fmt::format("at most {:.4g}", *value.value));
    }
    return records::interval_cell(*value.value, value.half_width);
}

records::Table parameter_table(const records::ModelFit& fit) {
    records::Table table{
        .caption = "Means with 95 % confidence intervals",
        .columns = {records::text_column("parameter"), records::text_column("symbol"),
                    records::number_column("value"), records::text_column("unit"),
                    records::number_column("from", "number of observations")},
        .rows = {}};
    for (const FittedValue& value : fit.values) {
        table.rows.push_back({records::text_cell(parameter_name(value)),
                              records::text_cell(value.symbol), fitted_cell(value),
                              records::text_cell(value.unit),
                              records::whole_cell(static_cast<double>(value.observations))});
    }
    return table;
}

// One panel for each property of messages.
records::PanelChart residual_chart(const records::ModelFit& fit) {
    records::PanelChart chart{
        .title = "Residuals",
        .caption =
            "Mean time of messages less that of the model. At 0 the model is right; the "
            "bars are 95 % confidence intervals.",
        .value_name = "residual_cycles",
        .value_label = "residual, cycles",
        .points_name = "mean residual",
        .panels = {}};
    chart.axis.is_signed = true;
    for (const records::Residuals& residuals : fit.residuals) {
        records::Panel panel{.title = residuals.label, .x_label = residuals.label};
        for (const records::ResidualGroup& group : residuals.groups) {
            panel.places.push_back({group.at, fmt::format("{:.3g}", group.at)});
            panel.points.push_back({group.at, group.mean_cycles, group.half_width_cycles});
        }
        chart.panels.push_back(std::move(panel));
    }
    return chart;
}

records::Table residual_table(const records::Residuals& residuals) {
    records::Table table{
        .caption = "Residuals over " + residuals.label,
        .columns = {records::number_column(residuals.label), records::number_column("messages"),
                    records::number_column("residual, cycles")},
        .rows = {}};
    for (const records::ResidualGroup& group : residuals.groups) {
        table.rows.push_back({records::number_cell(group.at),
                              records::whole_cell(static_cast<double>(group.messages)),
                              records::interval_cell(group.mean_cycles, group.half_width_cycles)});
    }
    return table;
}

}  // namespace

records::Document model_fit_document(const records::ModelFit& fit) {
    records::Document document;
    document.title = fmt::format("{} fitted to {}", fit.model,
                                 setup::counted(static_cast<std::size_t>(fit.messages), "message"));
    document.description = fit.sentence;
    if (!fit.summary.empty()) {
        document.findings.push_back({.about = "", .sentences = {fit.summary}});
    }
    document.facts = {{"nodes", std::to_string(fit.nodes)},
                      {"traces", std::to_string(fit.traces.size())}};
    records::Section parameters{
        .title = "Parameters", .blocks = {parameter_table(fit)}, .parts = {}};
    for (const records::FitWarning& warning : fit.warnings) {
        parameters.blocks.emplace_back(records::Paragraph{
            fmt::format("{}: {}. A run that tells it: {}, with your machine in its \"extends\".",
                        warning.parameter, warning.reason, warning.command)});
    }
    document.sections.push_back(std::move(parameters));
    if (!fit.residuals.empty()) {
        records::Section residuals{
            .title = "Residuals",
            .blocks = {records::Figure{.name = "", .chart = residual_chart(fit)}},
            .parts = {}};
        for (const records::Residuals& each : fit.residuals) {
            residuals.blocks.emplace_back(residual_table(each));
        }
        document.sections.push_back(std::move(residuals));
    }
    records::name_figures(document);
    return document;
}

ordered_json model_fit_json(const records::ModelFit& fit) {
    ordered_json json{{"model", fit.model},
                      {"traces", fit.traces},
                      {"nodes", fit.nodes},
                      {"messages", fit.messages},
                      {"summary", fit.summary},
                      {"mean_message_cycles", fit.mean_message_cycles},
                      {"mean_residual_cycles", fit.mean_residual_cycles},
                      {"mean_absolute_residual_cycles", fit.mean_absolute_residual_cycles},
                      {"values", ordered_json::array()},
                      {"warnings", ordered_json::array()},
                      {"residuals", ordered_json::object()}};
    for (const FittedValue& value : fit.values) {
        json["values"].push_back({{"name", value.name},
                                  {"symbol", value.symbol},
                                  {"unit", value.unit},
                                  {"sentence", value.sentence},
                                  {"message_bytes", optional_json(value.message_bytes)},
                                  {"value", optional_json(value.value)},
                                  {"half_width", optional_json(value.half_width)},
                                  {"is_upper_bound", value.is_upper_bound},
                                  {"observations", value.observations}});
    }
    for (const records::FitWarning& warning : fit.warnings) {
        json["warnings"].push_back({{"parameter", warning.parameter},
                                    {"reason", warning.reason},
                                    {"command", warning.command}});
    }
    for (const records::Residuals& residuals : fit.residuals) {
        ordered_json& groups = json["residuals"][residuals.over] = ordered_json::array();
        for (const records::ResidualGroup& group : residuals.groups) {
            groups.push_back({{"at", group.at},
                              {"messages", group.messages},
                              {"mean_cycles", group.mean_cycles},
                              {"half_width_cycles", optional_json(group.half_width_cycles)}});
        }
    }
    return json;
}

}  // namespace weir::experiments::pages
