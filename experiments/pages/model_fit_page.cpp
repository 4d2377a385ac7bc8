#include "experiments/pages/model_fit_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/setup/text/counted_text.h"

namespace weir::experiments::pages {

namespace {

using nlohmann::ordered_json;
using records::FittedValue;

template <class T>
ordered_json optional_json(const std::optional<T>& value) {
    return value ? ordered_json(*value) : ordered_json();
}

// Unit as a part of a name: cycles_per_byte.
std::string in_name(std::string unit) {
    std::replace(unit.begin(), unit.end(), ' ', '_');
    return unit;
}

// Things that were timed: messages or transfers.
bool is_of_transfers(const records::ModelFit& fit) { return fit.nodes == 0; }

std::string parameter_name(const FittedValue& value) {
    if (value.transfer) {
        return fmt::format("{} ({} B elements)", value.name, value.transfer->element_bytes);
    }
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

// Value of one stride and size, which the tables by stride and size show.
bool is_strided(const FittedValue& value) {
    return value.transfer && value.transfer->stride_bytes > 0;
}

records::Table parameter_table(const records::ModelFit& fit) {
    records::Table table{
        .caption = "Means with 95 % confidence intervals",
        .columns = {records::text_column("parameter"), records::text_column("symbol"),
                    records::number_column("value"), records::text_column("unit"),
                    records::number_column("from", "number of observations")},
        .rows = {}};
    for (const FittedValue& value : fit.values) {
        if (is_strided(value)) {
            continue;
        }
        table.rows.push_back({records::text_cell(parameter_name(value)),
                              records::text_cell(value.symbol), fitted_cell(value),
                              records::text_cell(value.unit),
                              records::whole_cell(static_cast<double>(value.observations))});
    }
    return table;
}

using Strided = std::vector<const FittedValue*>;

// Values by stride and size, for each kind of transfers and size of elements.
std::map<std::string, Strided> strided_values(const records::ModelFit& fit) {
    std::map<std::string, Strided> values;
    for (const FittedValue& value : fit.values) {
        if (is_strided(value)) {
            values[fmt::format("{} of {} B elements", value.transfer->kind,
                               value.transfer->element_bytes)]
                .push_back(&value);
        }
    }
    return values;
}

// Rows are sizes, and columns strides.
records::Table latency_table(const std::string& of, const Strided& values) {
    std::map<std::int64_t, std::map<std::int64_t, double>> by_size;
    std::set<std::int64_t> strides;
    double widest = 0.0;
    for (const FittedValue* value : values) {
        by_size[value->transfer->bytes][value->transfer->stride_bytes] = *value->value;
        strides.insert(value->transfer->stride_bytes);
        widest = std::max(widest, *value->half_width);
    }
    records::Table table{
        .caption = fmt::format("l of {}, cycles per byte, by size and stride. Half width of the "
                               "95 % intervals: at most {:.2g}",
                               of, widest),
        .columns = {records::number_column("bytes")},
        .rows = {}};
    for (const std::int64_t stride : strides) {
        table.columns.push_back(records::number_column(fmt::format("{} B", stride)));
    }
    for (const auto& [bytes, of_stride] : by_size) {
        table.rows.push_back({records::whole_cell(static_cast<double>(bytes))});
        for (const std::int64_t stride : strides) {
            const auto found = of_stride.find(stride);
            table.rows.back().push_back(found == of_stride.end() ? records::absent_cell()
                                                                 : records::text_cell(fmt::format(
                                                                       "{:.2f}", found->second)));
        }
    }
    return table;
}

// The curves of the paper's Figure 5: l over the size, one for each stride.
records::LineChart latency_chart(const std::string& of, const Strided& values) {
    records::LineChart chart{
        .title = "l of " + of,
        .caption = "Time that size and stride add to a byte. Plateaus are levels of the memory.",
        .x_name = "bytes",
        .y_name = "latency_cycles_per_byte",
        .x_label = "bytes of data",
        .y_label = "l, cycles per byte",
        .x_is_logarithmic = true,
        .curves = {}};
    chart.axis.is_signed = true;
    std::map<std::int64_t, records::Curve> curves;
    for (const FittedValue* value : values) {
        curves[value->transfer->stride_bytes].points.push_back(
            {static_cast<double>(value->transfer->bytes), *value->value, value->half_width});
    }
    for (auto& [stride, curve] : curves) {
        curve.who = "measured";
        curve.series = fmt::format("stride {} B", stride);
        chart.curves.push_back(std::move(curve));
    }
    return chart;
}

// One panel for each property of messages.
records::PanelChart residual_chart(const records::ModelFit& fit) {
    records::PanelChart chart{
        .title = "Residuals",
        .caption =
            fmt::format("Mean time of {}s less that of the model. At 0 the model is right; the "
                        "bars are 95 % confidence intervals.",
                        fit.subject),
        .value_name = "residual_" + in_name(fit.unit),
        .value_label = "residual, " + fit.unit,
        .points_name = "mean residual",
        .panels = {}};
    chart.axis.is_signed = true;
    for (const records::Residuals& residuals : fit.residuals) {
        records::Panel panel{.title = residuals.label, .x_label = residuals.label};
        for (const records::ResidualGroup& group : residuals.groups) {
            panel.places.push_back({group.at, fmt::format("{:.3g}", group.at)});
            panel.points.push_back({group.at, group.mean, group.half_width});
        }
        chart.panels.push_back(std::move(panel));
    }
    return chart;
}

records::Table residual_table(const records::ModelFit& fit, const records::Residuals& residuals) {
    records::Table table{.caption = "Residuals over " + residuals.label,
                         .columns = {records::number_column(residuals.label),
                                     records::number_column(fit.subject + "s"),
                                     records::number_column("residual, " + fit.unit)},
                         .rows = {}};
    for (const records::ResidualGroup& group : residuals.groups) {
        table.rows.push_back({records::number_cell(group.at),
                              records::whole_cell(static_cast<double>(group.count)),
                              records::interval_cell(group.mean, group.half_width)});
    }
    return table;
}

ordered_json transfer_json(const records::TransferShape& transfer) {
    ordered_json json{{"element_bytes", transfer.element_bytes}};
    if (transfer.stride_bytes > 0) {
        json["kind"] = transfer.kind;
        json["stride_bytes"] = transfer.stride_bytes;
        json["bytes"] = transfer.bytes;
    }
    return json;
}

}  // namespace

records::Document model_fit_document(const records::ModelFit& fit) {
    records::Document document;
    const char* const subject = is_of_transfers(fit) ? "transfer" : "message";
    document.title = fmt::format("{} fitted to {}", fit.model,
                                 setup::counted(static_cast<std::size_t>(fit.count), subject));
    document.description = fit.sentence;
    if (!fit.summary.empty()) {
        document.findings.push_back({.about = "", .sentences = {fit.summary}});
    }
    if (is_of_transfers(fit)) {
        document.facts = {{"tables", std::to_string(fit.traces.size())}};
    } else {
        document.facts = {{"nodes", std::to_string(fit.nodes)},
                          {"traces", std::to_string(fit.traces.size())}};
    }
    records::Section parameters{
        .title = "Parameters", .blocks = {parameter_table(fit)}, .parts = {}};
    for (const records::FitWarning& warning : fit.warnings) {
        parameters.blocks.emplace_back(records::Paragraph{
            fmt::format("{}: {}. A run that tells it: {}, with your machine in its \"extends\".",
                        warning.parameter, warning.reason, warning.command)});
    }
    for (const auto& [of, values] : strided_values(fit)) {
        parameters.blocks.emplace_back(latency_table(of, values));
        parameters.blocks.emplace_back(
            records::Figure{.name = "", .chart = latency_chart(of, values)});
    }
    document.sections.push_back(std::move(parameters));
    if (!fit.residuals.empty()) {
        records::Section residuals{
            .title = "Residuals",
            .blocks = {records::Figure{.name = "", .chart = residual_chart(fit)}},
            .parts = {}};
        for (const records::Residuals& each : fit.residuals) {
            residuals.blocks.emplace_back(residual_table(fit, each));
        }
        document.sections.push_back(std::move(residuals));
    }
    records::name_figures(document);
    return document;
}

ordered_json model_fit_json(const records::ModelFit& fit) {
    const std::string subject = is_of_transfers(fit) ? "transfer" : "message";
    const std::string unit = in_name(fit.unit);
    ordered_json json{{"model", fit.model}, {"traces", fit.traces}};
    if (!is_of_transfers(fit)) {
        json["nodes"] = fit.nodes;
    }
    json[subject + "s"] = fit.count;
    json["summary"] = fit.summary;
    json[fmt::format("mean_{}_{}", subject, unit)] = fit.mean_time;
    json["mean_residual_" + unit] = fit.mean_residual;
    json["mean_absolute_residual_" + unit] = fit.mean_absolute_residual;
    json["values"] = ordered_json::array();
    json["warnings"] = ordered_json::array();
    json["residuals"] = ordered_json::object();
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
        if (value.transfer) {
            json["values"].back()["transfer"] = transfer_json(*value.transfer);
        }
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
                              {subject + "s", group.count},
                              {"mean_" + unit, group.mean},
                              {"half_width_" + unit, optional_json(group.half_width)}});
        }
    }
    return json;
}

}  // namespace weir::experiments::pages
