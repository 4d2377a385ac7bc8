#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "experiments/kinds/metric_label.h"
#include "experiments/kinds/open_loop/load_curve.h"
#include "experiments/kinds/open_loop/open_loop_kind.h"
#include "experiments/records/point_values.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::kinds {

namespace {

using records::Curve;
using records::CurveKind;
using records::LineChart;
using records::PointResult;
using records::TableCell;

constexpr const char* kUnit = "flits per node and cycle";

double mean_of(const PointResult& point, const char* name) {
    const records::Estimate* estimate = records::find_estimate(point, name);
    return estimate != nullptr ? estimate->mean : 0.0;
}

std::string load_text(double load) { return setup::fixed_number(load, 3); }

TableCell load_cell(double load) { return {load_text(load), load, std::nullopt, {}}; }

TableCell share_cell(double percent) {
    return {setup::percent_number(percent, 0) + " %", percent, std::nullopt, {}};
}

records::Table curve_table(const LoadCurve& curve) {
    constexpr std::array kMetrics{std::pair{"packet_latency_p50_cycles", "p50"},
                                  std::pair{"packet_latency_p95_cycles", "p95"},
                                  std::pair{"packet_latency_p99_cycles", "p99"},
                                  std::pair{"packet_latency_longest_cycles", "longest"}};
    records::Table table;
    table.caption = curve.what;
    table.columns = {records::number_column("offered"), records::number_column("accepted"),
                     records::number_column("mean latency")};
    for (const auto& [metric, name] : kMetrics) {
        table.columns.push_back(records::number_column(name));
    }
    table.columns.push_back(records::number_column("hops"));
    for (const PointResult* point : curve.points) {
        std::vector<TableCell> row{load_cell(load_of(*point)),
                                   load_cell(mean_of(*point, "accepted_load")),
                                   records::measured_cell(*point, "packet_latency_cycles")};
        for (const auto& [metric, name] : kMetrics) {
            const records::Estimate* value = records::find_estimate(*point, metric);
            row.push_back(value != nullptr ? records::number_cell(value->mean)
                                           : records::absent_cell());
        }
        const records::Estimate* hops = records::find_estimate(*point, "mean_hops");
        row.push_back(hops != nullptr ? records::number_cell(hops->mean)
                                      : records::measured_cell(*point, "mean_hops"));
        table.rows.push_back(std::move(row));
    }
    return table;
}

// Utilisation and name of the busiest channel; with several seeds, each channel is named once.
records::Table busiest_table(const LoadCurve& curve) {
    records::Table table;
    table.caption = (curve.what.empty() ? "Busiest channel" : curve.what + ": busiest channel") +
                    ", among channels between routers and to and from the nodes";
    table.columns = {
        records::number_column("offered"),
        records::number_column("utilisation", "share of the measured cycles with a flit"),
        records::text_column("channel")};
    constexpr std::size_t kMostNamed = 3;
    for (const PointResult* point : curve.points) {
        std::vector<std::string> names;
        for (const auto& each : records::particular(*point, kBusiestChannels)) {
            if (std::find(names.begin(), names.end(), each.get<std::string>()) == names.end()) {
                names.push_back(each.get<std::string>());
            }
        }
        const std::size_t others = names.size() > kMostNamed ? names.size() - kMostNamed : 0;
        names.resize(names.size() - others);
        table.rows.push_back({load_cell(load_of(*point)),
                              records::measured_cell(*point, "busiest_channel_utilisation"),
                              records::text_cell(fmt::format(
                                  "{}{}", fmt::join(names, "; "),
                                  others > 0 ? fmt::format(" and {} more", others) : ""))});
    }
    return table;
}

std::string saturation_text(const LoadCurve& curve) {
    const double capacity = mean_of(*curve.points.front(), "uniform_capacity_load");
    const bool has_wider_bisection =
        mean_of(*curve.points.front(), "bisection_capacity_load") > capacity;
    const std::string of_capacity =
        capacity > 0.0
            ? fmt::format(", {} % of the {} at which uniform traffic fills the {}",
                          setup::fixed_number(100.0 * curve.saturation_throughput / capacity, 0),
                          load_text(capacity),
                          has_wider_bisection ? "nodes' channels into the network" : "bisection")
            : "";
    if (!curve.is_saturated) {
        return fmt::format(
            "No load saturates the network: its saturation throughput, the highest load that it "
            "accepts, is at least {} {}{}.",
            load_text(curve.saturation_throughput), kUnit, of_capacity);
    }
    return fmt::format(
        "Saturation throughput, the highest load accepted: {} {}{}.{}",
        load_text(curve.saturation_throughput), kUnit, of_capacity,
        curve.highest_load_not_saturated > 0.0
            ? fmt::format(" Highest offered load that does not saturate the network: {}.",
                          load_text(curve.highest_load_not_saturated))
            : " Every offered load saturates the network.");
}

TableCell apart_cell(const PointResult& point, const std::string& name) {
    const std::optional<records::Estimate> compared = records::find_comparable(point, name);
    return compared ? records::percent_cell(compared->mean) : records::absent_cell();
}

// Table of a model's latencies from generation and from injection.
void add_model(const LoadCurve& curve, std::size_t model, records::Section& section) {
    const std::string name = curve.points.front()->predictions[model].model;
    records::Table table;
    table.caption = name + (curve.what.empty() ? "" : ", " + curve.what);
    table.columns = {
        records::number_column("offered"),         records::number_column("predicted"),
        records::number_column("from generation"), records::off_column("the model's error"),
        records::number_column("from injection"),  records::off_column("the model's error")};
    std::string silence;
    for (const PointResult* point : curve.points) {
        const records::Prediction& prediction = point->predictions[model];
        const auto said = records::find_metric(prediction.metrics, "packet_latency_cycles");
        table.rows.push_back({load_cell(load_of(*point)),
                              said ? records::number_cell(*said) : records::text_cell("none"),
                              records::measured_cell(*point, "packet_latency_cycles"),
                              apart_cell(*point, name + "_over_measured_percent"),
                              records::measured_cell(*point, "network_latency_cycles"),
                              apart_cell(*point, name + "_network_over_measured_percent")});
        if (silence.empty() && !prediction.not_applicable.empty()) {
            silence = fmt::format("No prediction from load {} on: {}", load_text(load_of(*point)),
                                  prediction.not_applicable);
        }
    }
    section.blocks.emplace_back(std::move(table));
    if (!silence.empty()) {
        section.blocks.emplace_back(records::Paragraph{silence});
    }
}

records::Table summary_table(const std::vector<LoadCurve>& curves) {
    records::Table table;
    table.caption = fmt::format("Highest accepted load, {}", kUnit);
    table.columns = {records::text_column("point"), records::number_column("saturation throughput"),
                     records::number_column("share of capacity"),
                     records::number_column("highest load not saturated"),
                     records::number_column("latency at lowest load")};
    for (const LoadCurve& curve : curves) {
        const PointResult& first = *curve.points.front();
        const double capacity = mean_of(first, "uniform_capacity_load");
        const double share = capacity > 0.0 ? 100.0 * curve.saturation_throughput / capacity : 0.0;
        TableCell throughput = load_cell(curve.saturation_throughput);
        throughput.text.insert(0, curve.is_saturated ? "" : "> ");
        table.rows.push_back({records::text_cell(curve.what), throughput, share_cell(share),
                              curve.highest_load_not_saturated > 0.0
                                  ? load_cell(curve.highest_load_not_saturated)
                                  : records::text_cell("none"),
                              records::measured_cell(first, "packet_latency_cycles")});
    }
    return table;
}

void add_load_figures(const records::ExperimentResult& result, const std::vector<LoadCurve>& curves,
                      records::Section& section) {
    const bool has_curve = std::any_of(curves.begin(), curves.end(),
                                       [](const LoadCurve& c) { return c.points.size() > 1; });
    if (!has_curve) {
        return;
    }
    struct Drawn {
        const char* metric;
        const char* caption;
    };
    for (const Drawn& drawn : {Drawn{"packet_latency_cycles",
                                     "Latency from generation, by offered load. Loads that "
                                     "saturate the network have no latency. "},
                               Drawn{"accepted_load", "Accepted load, by offered load. "}}) {
        LineChart chart;
        chart.title = metric_label(drawn.metric) + " over offered load";
        chart.caption =
            drawn.caption + records::seeds_text(result) + records::sources_of(result, drawn.metric);
        chart.x_name = "offered_load_flits_per_node_and_cycle";
        chart.y_name = drawn.metric;
        chart.x_label = "offered load, flits per node and cycle";
        chart.y_label = metric_label(drawn.metric);
        for (const LoadCurve& curve : curves) {
            Curve measured{CurveKind::kMeasured, "measured", curve.what, {}, false};
            Curve of_paper{CurveKind::kPublished, "published", curve.what, {}, false};
            for (const records::PointResult* point : curve.points) {
                if (const records::Estimate* value = records::find_estimate(*point, drawn.metric)) {
                    measured.points.push_back({load_of(*point), value->mean, value->half_width});
                }
                for (const double value : records::published_values(*point, drawn.metric)) {
                    of_paper.points.push_back({load_of(*point), value, std::nullopt});
                }
            }
            chart.curves.push_back(std::move(measured));
            for (const std::string& model : records::models_of(result, drawn.metric)) {
                Curve said{CurveKind::kModel, model, curve.what, {}, false};
                for (const records::PointResult* point : curve.points) {
                    if (const auto value = records::predicted_value(*point, model, drawn.metric)) {
                        said.points.push_back({load_of(*point), *value, std::nullopt});
                    }
                }
                chart.curves.push_back(std::move(said));
            }
            chart.curves.push_back(std::move(of_paper));
        }
        std::erase_if(chart.curves, [](const Curve& curve) { return curve.points.empty(); });
        if (!chart.is_empty()) {
            section.blocks.emplace_back(records::Figure{"", chart});
        }
    }
}

}  // namespace

std::optional<records::Section> load_curves_section(const records::ExperimentResult& result) {
    const std::vector<LoadCurve> curves = load_curves(result);
    if (curves.empty()) {
        return std::nullopt;
    }
    records::Section section;
    section.title = fmt::format("Loads in {}, latencies in cycles from generation", kUnit);
    if (curves.size() > 1) {
        section.blocks.emplace_back(summary_table(curves));
    }
    add_load_figures(result, curves, section);
    for (const LoadCurve& curve : curves) {
        section.blocks.emplace_back(curve_table(curve));
        if (curves.size() == 1) {
            section.blocks.emplace_back(records::Paragraph{saturation_text(curve)});
        }
        section.blocks.emplace_back(busiest_table(curve));
        for (std::size_t model = 0; model < curve.points.front()->predictions.size(); ++model) {
            add_model(curve, model, section);
        }
    }
    return section;
}

}  // namespace weir::experiments::kinds
