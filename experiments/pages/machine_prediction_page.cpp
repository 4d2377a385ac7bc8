#include "experiments/pages/machine_prediction_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "experiments/pages/estimate_text.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/statistics/sample.h"

namespace weir::experiments::pages {

namespace {

using nlohmann::ordered_json;
using records::MachinePrediction;
using records::ScaledMachine;

statistics::Sample sample_of(const ScaledMachine& machine) { return {machine.values}; }

std::string per_cent(double value) { return setup::fixed_number(value, 1) + " %"; }

std::string value_sentence(const MachinePrediction& prediction) {
    return fmt::format("{} on {} nodes ({}): {}, 95 % interval {} to {} (± {}).",
                       setup::spaced_name(prediction.metric), prediction.target.nodes,
                       prediction.target.shape, setup::shown_number(prediction.value),
                       setup::shown_number(prediction.low), setup::shown_number(prediction.high),
                       per_cent(prediction.half_width_percent()));
}

std::string check_sentence(const MachinePrediction& prediction) {
    const MachinePrediction::Check& check = *prediction.check;
    return fmt::format("Measured: {}, {} the interval; the prediction is off by {} %.",
                       setup::shown_number(check.value), check.is_in_bar ? "in" : "outside",
                       setup::signed_number(kPercent * (prediction.value / check.value - 1.0)));
}

std::string bound_sentence(const MachinePrediction& prediction) {
    return fmt::format("At least {}, if that channel is in use all the time.",
                       setup::shown_number(*prediction.lower_bound));
}

std::vector<std::string> sentences_of(const MachinePrediction& prediction) {
    std::vector<std::string> sentences{value_sentence(prediction)};
    for (const std::string& doubt : prediction.doubts) {
        sentences.push_back(fmt::format("The small machines do not tell: {}.", doubt));
    }
    if (prediction.lower_bound) {
        sentences.push_back(bound_sentence(prediction));
    }
    if (prediction.check) {
        sentences.push_back(check_sentence(prediction));
    }
    return sentences;
}

std::string sizes_text(const ScaledMachine& machine) {
    std::vector<std::string> texts;
    for (const auto& [name, value] : machine.sizes) {
        texts.push_back(fmt::format("{} = {}", name.substr(name.find('.') + 1), value));
    }
    return texts.empty() ? "as written" : fmt::format("{}", fmt::join(texts, ", "));
}

std::vector<records::TableCell> row_of(const ScaledMachine& machine) {
    const statistics::Sample sample = sample_of(machine);
    return {records::whole_cell(static_cast<double>(machine.nodes)),
            records::text_cell(machine.shape), records::text_cell(sizes_text(machine)),
            machine.values.empty() ? records::absent_cell()
                                   : records::interval_cell(sample.mean(), sample.half_width()),
            records::number_cell(machine.busiest_channel_percent)};
}

records::Section machines_section(const MachinePrediction& prediction) {
    records::Table table;
    table.columns = {
        records::number_column("nodes"), records::text_column("shape"),
        records::text_column("size"), records::number_column(setup::spaced_name(prediction.metric)),
        records::number_column("busiest channel, %",
                               "share of the cycles in which the network's busiest channel is in "
                               "use")};
    for (const ScaledMachine& machine : prediction.machines) {
        table.rows.push_back(row_of(machine));
    }
    if (!prediction.target.values.empty()) {
        table.rows.push_back(row_of(prediction.target));
    }
    records::Section section{"Machines", {std::move(table)}, {}};
    for (const MachinePrediction::LeftOut& left_out : prediction.left_out) {
        section.blocks.emplace_back(records::Paragraph{
            fmt::format("Left out, {} nodes: {}", left_out.nodes, left_out.reason)});
    }
    return section;
}

records::Section sums_section(const MachinePrediction& prediction) {
    records::Table table;
    table.caption =
        "P: nodes. D: mean distance in hops. C: channels across the bisection. U: D P divided by "
        "the number of channels. n: size of a node's part, 1 in the file. w, m: most operations "
        "and "
        "most messages of a node. b: m divided by the mean of all nodes. Names are those of "
        "models.";
    table.columns = {
        records::text_column(setup::spaced_name(prediction.metric)),
        records::number_column("weight, %", "share of the prediction, by points not seen"),
        records::number_column("predicted"),
        records::number_column("largest small, % off",
                               "error of the largest small machine, predicted from the others")};
    for (const MachinePrediction::Sum& sum : prediction.sums) {
        table.rows.push_back(
            {records::text_cell(sum.formula), records::number_cell(kPercent * sum.weight),
             records::number_cell(sum.value), records::percent_cell(sum.last_error_percent)});
    }
    return {"Sums of terms", {std::move(table)}, {}};
}

records::Curve curve_of(records::CurveKind kind, const std::string& who,
                        std::vector<records::CurvePoint> points) {
    return {.kind = kind, .who = who, .series = "", .points = std::move(points)};
}

records::Figure figure_of(const MachinePrediction& prediction) {
    records::LineChart chart{.title = setup::spaced_name(prediction.metric) + " over nodes",
                             .caption = "Bars are 95 % confidence intervals.",
                             .x_name = "nodes",
                             .y_name = prediction.metric,
                             .x_label = "nodes",
                             .y_label = setup::spaced_name(prediction.metric),
                             .x_is_logarithmic = true,
                             .y_is_logarithmic = false,
                             .curves = {}};
    std::vector<records::CurvePoint> measured;
    for (const ScaledMachine& machine : prediction.machines) {
        const statistics::Sample sample = sample_of(machine);
        measured.push_back(
            {static_cast<double>(machine.nodes), sample.mean(), sample.half_width()});
    }
    const auto nodes = static_cast<double>(prediction.target.nodes);
    chart.curves.push_back(
        curve_of(records::CurveKind::kMeasured, "small machines", std::move(measured)));
    chart.curves.push_back(
        curve_of(records::CurveKind::kEqual, "predicted",
                 {{nodes, prediction.value, (prediction.high - prediction.low) / 2.0}}));
    if (prediction.check) {
        chart.curves.push_back(curve_of(records::CurveKind::kPublished, "measured",
                                        {{nodes, prediction.check->value, std::nullopt}}));
    }
    return {.name = "", .chart = std::move(chart)};
}

template <class T>
ordered_json optional_json(const std::optional<T>& value) {
    return value ? ordered_json(*value) : ordered_json();
}

ordered_json machine_json(const ScaledMachine& machine) {
    ordered_json sizes = ordered_json::object();
    for (const auto& [name, value] : machine.sizes) {
        sizes[name] = value;
    }
    return {{"nodes", machine.nodes},
            {"shape", machine.shape},
            {"sizes", std::move(sizes)},
            {"values", machine.values},
            {"busiest_channel_percent", optional_json(machine.busiest_channel_percent)}};
}

}  // namespace

records::Document machine_prediction_document(const MachinePrediction& prediction) {
    records::Document document;
    document.title = prediction.title.empty() ? prediction.file : prediction.title;
    document.findings.push_back({.about = "Predicted", .sentences = sentences_of(prediction)});
    document.facts = {
        {"study", prediction.file},
        {"kernel", prediction.kernel},
        {"constant", prediction.constant},
        {"runs", fmt::format("{}, {} of them new", prediction.runs, prediction.new_runs)},
        {"database", prediction.database}};
    if (prediction.busiest_channel_percent) {
        document.facts.emplace_back(
            "busiest channel", "predicted to be in use " +
                                   per_cent(*prediction.busiest_channel_percent) + " of the time");
    }
    document.sections.push_back(machines_section(prediction));
    document.sections.back().blocks.emplace_back(figure_of(prediction));
    document.sections.push_back(sums_section(prediction));
    records::name_figures(document);
    return document;
}

ordered_json machine_prediction_json(const MachinePrediction& prediction) {
    ordered_json json{
        {"title", prediction.title},
        {"file", prediction.file},
        {"database", prediction.database},
        {"kernel", prediction.kernel},
        {"metric", prediction.metric},
        {"unit", prediction.unit},
        {"constant", prediction.constant},
        {"nodes", prediction.target.nodes},
        {"value", prediction.value},
        {"low", prediction.low},
        {"high", prediction.high},
        {"half_width_percent", prediction.half_width_percent()},
        {"last_error_percent", prediction.last_error_percent},
        {"busiest_channel_percent", optional_json(prediction.busiest_channel_percent)},
        {"lower_bound", optional_json(prediction.lower_bound)},
        {"doubts", prediction.doubts},
        {"check", ordered_json()},
        {"runs", prediction.runs},
        {"new_runs", prediction.new_runs},
        {"machines", ordered_json::array()},
        {"target", machine_json(prediction.target)},
        {"left_out", ordered_json::array()},
        {"sums", ordered_json::array()}};
    if (prediction.check) {
        json["check"] = {{"value", prediction.check->value},
                         {"is_in_bar", prediction.check->is_in_bar}};
    }
    for (const ScaledMachine& machine : prediction.machines) {
        json["machines"].push_back(machine_json(machine));
    }
    for (const MachinePrediction::LeftOut& left_out : prediction.left_out) {
        json["left_out"].push_back({{"nodes", left_out.nodes}, {"reason", left_out.reason}});
    }
    for (const MachinePrediction::Sum& sum : prediction.sums) {
        json["sums"].push_back({{"formula", sum.formula},
                                {"weight", sum.weight},
                                {"value", sum.value},
                                {"last_error_percent", sum.last_error_percent}});
    }
    return json;
}

}  // namespace weir::experiments::pages
