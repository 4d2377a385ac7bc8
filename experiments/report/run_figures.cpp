#include "experiments/report/run_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "experiments/config/toml_tree.h"
#include "experiments/report/chart_style.h"
#include "experiments/report/dot_chart.h"
#include "experiments/report/line_chart.h"
#include "experiments/report/network_map.h"
#include "experiments/report/point_values.h"
#include "experiments/report/stacked_bars.h"
#include "experiments/report/tornado_chart.h"
#include "experiments/run/load_curve.h"
#include "experiments/run/report.h"
#include "experiments/run/stored_result.h"
#include "experiments/sweep/run_outcome.h"

namespace weir::experiments::report {

namespace {

using run::ExperimentResult;
using run::PointResult;

constexpr std::size_t kMostCurves = 8;
constexpr std::size_t kMostMetrics = 10;
constexpr std::size_t kMostCategories = 60;

std::string unit_text(const std::string& metric) {
    const std::string unit = sweep::unit_of({"measured", metric, 0.0});
    return unit == "1" ? "" : unit;
}

// "cycles per iteration", "packet latency, cycles"
std::string metric_label(const std::string& metric) {
    std::string name = spaced_name(metric);
    const std::string unit = unit_text(metric);
    if (!unit.empty() && name.size() > unit.size() && name.ends_with(" " + unit)) {
        name.erase(name.size() - unit.size() - 1);
        return name + ", " + unit;
    }
    return name;
}

// What is published of it, and where, each source once.
std::string sources_of(const ExperimentResult& result, const std::string& metric) {
    std::set<std::string> seen;
    std::string text;
    for (const PointResult& point : result.points) {
        for (const config::Published& each : point.published) {
            if (each.metric == metric && seen.insert(each.source).second) {
                text += (text.empty() ? "" : "; ") + each.source;
            }
        }
    }
    return text.empty() ? "" : "Published: " + text + ".";
}

std::string seeds_text(const ExperimentResult& result) {
    std::size_t most = 0;
    for (const PointResult& point : result.points) {
        most = std::max(most, point.seeds.size());
    }
    return most > 1 ? fmt::format("Means of {} seeds with 95 % confidence intervals. ", most) : "";
}

// The main metric first, then what a paper gives at several points, then what models say besides.
std::vector<std::string> metrics_to_draw(const ExperimentResult& result) {
    std::vector<std::string> metrics;
    const auto add = [&metrics](const std::string& name) {
        if (!name.empty() && std::find(metrics.begin(), metrics.end(), name) == metrics.end()) {
            metrics.push_back(name);
        }
    };
    add(run::main_metric_of(result));
    for (const PointResult& point : result.points) {
        for (const config::Published& each : point.published) {
            if (run::find_comparable(point, each.metric)) {
                add(each.metric);
            }
        }
    }
    for (const PointResult& point : result.points) {
        for (const run::Estimate& measured : point.measured) {
            if (!models_of(result, measured.name).empty()) {
                add(measured.name);
            }
        }
    }
    if (metrics.size() > kMostMetrics) {
        metrics.resize(kMostMetrics);
    }
    return metrics;
}

LineChart chart_of(const ExperimentResult& result, const std::string& metric,
                   const PointCurves& curves, bool with_models) {
    LineChart chart;
    chart.title = metric_label(metric) + " over " + short_key(curves.key);
    chart.caption = seeds_text(result) + sources_of(result, metric);
    chart.x_name = curves.key;
    chart.y_name = metric;
    chart.x_label = curves.key;
    chart.y_label = metric_label(metric);
    chart.x_is_logarithmic = curves.is_logarithmic;
    for (const PointSeries& series : curves.series) {
        Curve measured{CurveKind::kMeasured, "measured", series.name, {}, false};
        Curve of_paper{CurveKind::kPublished, "published", series.name, {}, false};
        for (const auto& [x, index] : series.points) {
            const PointResult& point = result.points[index];
            if (const auto value = run::find_comparable(point, metric)) {
                measured.points.push_back({x, value->mean, value->half_width});
            }
            for (const double value : published_values(point, metric)) {
                of_paper.points.push_back({x, value, std::nullopt});
            }
        }
        chart.curves.push_back(std::move(measured));
        for (const std::string& model : models_of(result, metric)) {
            Curve curve{CurveKind::kModel, model, series.name, {}, false};
            for (const auto& [x, index] : series.points) {
                if (const auto value = predicted_value(result.points[index], model, metric)) {
                    curve.points.push_back({x, *value, std::nullopt});
                }
            }
            if (with_models) {
                chart.curves.push_back(std::move(curve));
            }
        }
        chart.curves.push_back(std::move(of_paper));
    }
    std::erase_if(chart.curves, [](const Curve& curve) { return curve.points.empty(); });
    return chart;
}

// One figure, or one a series where all curves of all models would hide each other.
void add_line_figures(const ExperimentResult& result, const std::string& metric,
                      const PointCurves& curves, std::vector<Figure>& figures) {
    constexpr std::size_t kMostTogether = 12;
    const std::size_t models = models_of(result, metric).size();
    const auto add = [&figures](const LineChart& chart) {
        if (!chart.is_empty()) {
            figures.push_back(line_figure(chart));
        }
    };
    if (models == 0 || curves.series.size() * models <= kMostTogether) {
        add(chart_of(result, metric, curves, true));
        return;
    }
    for (const PointSeries& series : curves.series) {
        LineChart chart =
            chart_of(result, metric, {curves.key, curves.is_logarithmic, {series}}, true);
        chart.title += ", " + series.name;
        for (Curve& curve : chart.curves) {
            curve.series.clear();
        }
        add(chart);
    }
}

// A row a point; of a single point a row for each who says something of it.
void add_dot_figure(const ExperimentResult& result, const std::string& metric,
                    std::vector<Figure>& figures) {
    DotChart chart;
    chart.title = metric_label(metric);
    chart.caption = seeds_text(result) + sources_of(result, metric);
    chart.category_name = "point";
    chart.value_name = metric;
    chart.value_label = metric_label(metric);
    DotSeries measured{CurveKind::kMeasured, "measured", {}};
    DotSeries of_paper{CurveKind::kPublished, "published", {}};
    std::vector<DotSeries> of_models;
    for (const std::string& model : models_of(result, metric)) {
        of_models.push_back({CurveKind::kModel, model, {}});
    }
    const bool is_single = result.points.size() == 1;
    double least = INFINITY;
    double most = 0.0;
    for (const PointResult& point : result.points) {
        const auto value = run::find_comparable(point, metric);
        const std::vector<double> values = published_values(point, metric);
        if (!value && values.empty()) {
            continue;
        }
        const auto category = [&](const std::string& who) {
            if (is_single || chart.categories.empty() || chart.categories.back() != point.label) {
                chart.categories.push_back(is_single ? who : point.label);
            }
            return chart.categories.size() - 1;
        };
        if (value) {
            measured.dots.push_back({category("measured"), value->mean, value->half_width});
            least = std::min(least, value->mean);
            most = std::max(most, value->mean);
        }
        for (DotSeries& model : of_models) {
            if (const auto said = predicted_value(point, model.name, metric)) {
                model.dots.push_back({category(model.name), *said, std::nullopt});
            }
        }
        for (const double each : values) {
            of_paper.dots.push_back({category("published"), each, std::nullopt});
        }
    }
    if (chart.categories.empty() || chart.categories.size() > kMostCategories) {
        return;
    }
    constexpr double kManyTimes = 50.0;
    chart.value_is_logarithmic = least > 0.0 && most > kManyTimes * least;
    chart.series.push_back(std::move(measured));
    chart.series.insert(chart.series.end(), of_models.begin(), of_models.end());
    chart.series.push_back(std::move(of_paper));
    std::erase_if(chart.series, [](const DotSeries& series) { return series.dots.empty(); });
    figures.push_back(dot_figure(chart));
}

// ------------------------------------------------------------------------------ Open-loop traffic

void add_load_figures(const ExperimentResult& result, std::vector<Figure>& figures) {
    const std::vector<run::LoadCurve> curves = run::load_curves(result);
    const bool has_curve = std::any_of(curves.begin(), curves.end(),
                                       [](const run::LoadCurve& c) { return c.points.size() > 1; });
    if (!has_curve) {
        return;
    }
    struct Drawn {
        const char* metric;
        const char* caption;
    };
    for (const Drawn& drawn :
         {Drawn{"packet_latency_cycles",
                "From generation, over the load offered; loads that saturate the network have no "
                "latency. "},
          Drawn{"accepted_load", "What arrives of the load offered. "}}) {
        LineChart chart;
        chart.title = metric_label(drawn.metric) + " over offered load";
        chart.caption = drawn.caption + seeds_text(result) + sources_of(result, drawn.metric);
        chart.x_name = "offered_load_flits_per_node_and_cycle";
        chart.y_name = drawn.metric;
        chart.x_label = "offered load, flits a node and cycle";
        chart.y_label = metric_label(drawn.metric);
        for (const run::LoadCurve& curve : curves) {
            Curve measured{CurveKind::kMeasured, "measured", curve.what, {}, false};
            Curve of_paper{CurveKind::kPublished, "published", curve.what, {}, false};
            for (const PointResult* point : curve.points) {
                if (const run::Estimate* value = run::find_estimate(*point, drawn.metric)) {
                    measured.points.push_back(
                        {run::load_of(*point), value->mean, value->half_width});
                }
                for (const double value : published_values(*point, drawn.metric)) {
                    of_paper.points.push_back({run::load_of(*point), value, std::nullopt});
                }
            }
            chart.curves.push_back(std::move(measured));
            for (const std::string& model : models_of(result, drawn.metric)) {
                Curve said{CurveKind::kModel, model, curve.what, {}, false};
                for (const PointResult* point : curve.points) {
                    if (const auto value = predicted_value(*point, model, drawn.metric)) {
                        said.points.push_back({run::load_of(*point), *value, std::nullopt});
                    }
                }
                chart.curves.push_back(std::move(said));
            }
            chart.curves.push_back(std::move(of_paper));
        }
        std::erase_if(chart.curves, [](const Curve& curve) { return curve.points.empty(); });
        if (!chart.is_empty()) {
            figures.push_back(line_figure(chart));
        }
    }
}

// ----------------------------------------------------------------------------- Where cycles went

/// Requests in full colours, replies in light ones.
std::string part_colour(const std::string& part) {
    constexpr std::array kPartColours{std::pair{"request_send", "#0072B2"},
                                      std::pair{"request_network_unloaded", "#009E73"},
                                      std::pair{"request_network_contention", "#C22E1F"},
                                      std::pair{"request_notify", "#6B6B70"},
                                      std::pair{"request_queueing", "#E69F00"},
                                      std::pair{"request_handler", "#A3547F"},
                                      std::pair{"reply_send", "#7DB8DA"},
                                      std::pair{"reply_network_unloaded", "#85CDB5"},
                                      std::pair{"reply_network_contention", "#E89A92"},
                                      std::pair{"reply_notify", "#B9B9BE"},
                                      std::pair{"reply_queueing", "#F4D28A"},
                                      std::pair{"reply_handler", "#DDB3CB"},
                                      std::pair{"compute", "#26426B"},
                                      std::pair{"wait", "#D9D9DD"},
                                      std::pair{"interference", "#8C510A"},
                                      std::pair{"idle", "#E6E6EA"},
                                      std::pair{"send", "#0072B2"},
                                      std::pair{"network", "#009E73"},
                                      std::pair{"handlers", "#A3547F"},
                                      std::pair{"contention", "#C22E1F"}};
    for (const auto& [name, colour] : kPartColours) {
        if (part == name) {
            return colour;
        }
    }
    return "";
}

constexpr std::size_t kMostBars = 30;

void add_round_trip_figure(const ExperimentResult& result, std::vector<Figure>& figures) {
    StackedBars chart;
    chart.title = "where the cycles of an iteration go";
    chart.caption = "Exclusive parts, from the trace, that sum to the whole; means over the seeds.";
    chart.group_name = "point";
    chart.unit = "cycles";
    chart.value_label = "cycles";
    for (const PointResult& point : result.points) {
        for (const auto& [name, ignored] : point.round_trip) {
            const std::string shown = spaced_name(name);
            if (std::none_of(chart.parts.begin(), chart.parts.end(),
                             [&shown](const auto& part) { return part.name == shown; })) {
                chart.parts.push_back({shown, part_colour(name)});
            }
        }
    }
    for (const PointResult& point : result.points) {
        if (point.round_trip.empty() || chart.bars.size() == kMostBars) {
            continue;
        }
        StackedBar bar{point.label, "", {}};
        for (const StackedBars::Part& part : chart.parts) {
            std::string name = part.name;
            std::replace(name.begin(), name.end(), ' ', '_');
            bar.parts.push_back(run::find_metric(point.round_trip, name));
        }
        chart.bars.push_back(std::move(bar));
    }
    if (!chart.bars.empty()) {
        figures.push_back(stacked_figure(chart));
    }
}

void add_cost_figure(const ExperimentResult& result, std::vector<Figure>& figures) {
    StackedBars chart;
    chart.title = "where a non-zero's cycles go";
    chart.group_name = "point";
    chart.unit = "cycles";
    chart.value_label = "cycles a non-zero";
    std::string who;
    for (const char* part : run::kCostParts) {
        chart.parts.push_back({part, part_colour(part)});
    }
    for (const PointResult& point : result.points) {
        for (const run::CostBar& each : point.cost_bars) {
            StackedBar bar{point.label, each.who, {}};
            for (const char* part : run::kCostParts) {
                bar.parts.push_back(run::find_metric(each.parts, part));
            }
            chart.bars.push_back(std::move(bar));
            who = each.who == "measured" ? who : spaced_name(each.who);
        }
    }
    chart.caption = "Left bars: measured" + (who.empty() ? "" : "; right bars: " + who) +
                    ". Idle is what is left, of nodes that end before the last; a model's compute "
                    "has the sends.";
    if (!chart.bars.empty() && chart.bars.size() <= 2 * kMostBars) {
        figures.push_back(stacked_figure(chart));
    }
}

void add_packed_figure(const ExperimentResult& result, std::vector<Figure>& figures) {
    StackedBars chart;
    chart.title = "a column as a message";
    chart.caption =
        "From the left: measured, memory logP with l of a repeated transfer, and with l of one "
        "that misses every line.";
    chart.group_name = "point";
    chart.unit = "cycles";
    chart.value_label = "cycles";
    chart.parts = {{"pack", "#0072B2"}, {"network", "#009E73"}, {"unpack", "#E69F00"}};
    for (const PointResult& point : result.points) {
        for (const run::PackedMessage& message : point.packed_messages) {
            chart.bars.push_back(
                {point.label,
                 message.who,
                 {message.pack_cycles, message.network_cycles, message.unpack_cycles}});
        }
    }
    if (!chart.bars.empty()) {
        figures.push_back(stacked_figure(chart));
    }
}

// ------------------------------------------------------------------------- What some kernels leave

std::string in_point(const ExperimentResult& result, const PointResult& point) {
    return result.points.size() > 1 ? ", " + point.label : "";
}

void add_transfer_figures(const ExperimentResult& result, const PointResult& point,
                          std::vector<Figure>& figures) {
    if (point.transfers.empty()) {
        return;
    }
    std::set<std::int64_t> strides;
    std::set<std::int64_t> sizes;
    for (const run::MeasuredTransfer& transfer : point.transfers) {
        strides.insert(transfer.stride_bytes);
        sizes.insert(transfer.bytes);
    }
    if (sizes.size() < 2) {
        return;
    }
    // As many as can be told apart, with the first and the last.
    constexpr std::size_t kMostStrides = 7;
    std::vector<std::int64_t> shown(strides.begin(), strides.end());
    while (shown.size() > kMostStrides) {
        std::vector<std::int64_t> fewer;
        for (std::size_t i = 0; i < shown.size(); i += 2) {
            fewer.push_back(shown[i]);
        }
        shown = fewer;
    }
    LineChart chart;
    chart.title = fmt::format("cycles a byte (o + l) of {} by size and stride{}",
                              point.transfers.front().kind, in_point(result, point));
    chart.caption = "Points: measured. Lines: models. All strides are in the CSV of the run.";
    chart.x_name = "bytes";
    chart.y_name = "cycles_per_byte";
    chart.x_label = "bytes moved";
    chart.y_label = "cycles a byte";
    chart.x_is_logarithmic = true;
    chart.y_is_logarithmic = true;
    for (const std::int64_t stride : shown) {
        Curve measured{
            CurveKind::kMeasured, "measured", fmt::format("stride {} B", stride), {}, false};
        Curve said{CurveKind::kModel, "write_back_timing", measured.series, {}, false};
        for (const run::MeasuredTransfer& transfer : point.transfers) {
            if (transfer.stride_bytes != stride) {
                continue;
            }
            const auto bytes = static_cast<double>(transfer.bytes);
            measured.points.push_back({bytes, transfer.cycles_per_byte, std::nullopt});
            for (const run::TransferPrediction& prediction : transfer.predictions) {
                if (prediction.model == said.who) {
                    said.points.push_back({bytes, prediction.cycles_per_byte, std::nullopt});
                }
            }
        }
        for (Curve* curve : {&measured, &said}) {
            std::sort(curve->points.begin(), curve->points.end(),
                      [](const auto& a, const auto& b) { return a.x < b.x; });
            if (!curve->points.empty()) {
                chart.curves.push_back(std::move(*curve));
            }
        }
    }
    figures.push_back(line_figure(chart));
}

void add_queue_figure(const ExperimentResult& result, const PointResult& point,
                      std::vector<Figure>& figures) {
    if (point.input_queue.size() < 2) {
        return;
    }
    LineChart chart;
    chart.title = "the receiver's input queue during a long message" + in_point(result, point);
    chart.caption =
        "From the message's first byte until the DMA engine has caught up with the network.";
    chart.x_name = "cycle";
    chart.y_name = "bytes";
    chart.x_label = "cycles since the first byte arrived";
    chart.y_label = "bytes in the input queue";
    Curve curve{CurveKind::kMeasured, "measured", "", {}, true};
    for (const auto& [cycle, bytes] : point.input_queue) {
        curve.points.push_back(
            {static_cast<double>(cycle), static_cast<double>(bytes), std::nullopt});
    }
    chart.curves.push_back(std::move(curve));
    figures.push_back(line_figure(chart));
}

void add_unloaded_figure(const ExperimentResult& result, std::vector<Figure>& figures) {
    LineChart chart;
    chart.title = "cycles of a packet alone in the network over its distance";
    chart.caption = "Mean over the pairs of nodes of a distance.";
    chart.x_name = "hops";
    chart.y_name = "mean_cycles";
    chart.x_label = "hops";
    chart.y_label = "cycles";
    for (const PointResult& point : result.points) {
        Curve curve{CurveKind::kMeasured,
                    "measured",
                    result.points.size() > 1 ? point.label : "",
                    {},
                    false};
        for (const run::UnloadedDistance& distance : point.unloaded) {
            curve.points.push_back(
                {static_cast<double>(distance.hops), distance.mean_cycles, std::nullopt});
        }
        if (!curve.points.empty()) {
            chart.curves.push_back(std::move(curve));
        }
    }
    if (!chart.is_empty()) {
        figures.push_back(line_figure(chart));
    }
}

// ------------------------------------------------------------------------------------ The network

// Means over the seeds; the greatest of peaks.
NetworkUse use_of_point(const ExperimentResult& result, const PointResult& point) {
    NetworkUse use;
    use.channels = point.channels;
    const std::vector<std::filesystem::path> folders = run::folders_of_point(result, point);
    const auto seeds = static_cast<double>(folders.size());
    run::ChannelUses channels;
    for (const std::filesystem::path& folder : folders) {
        const run::ChannelUses of_seed = run::read_channels(folder);
        const run::QueueUses queues = run::read_queues(folder);
        channels.resize(std::max(channels.size(), of_seed.size()));
        use.queues.resize(std::max(use.queues.size(), queues.size()));
        for (std::size_t i = 0; i < of_seed.size(); ++i) {
            channels[i].channel = of_seed[i].channel;
            channels[i].utilisation += of_seed[i].utilisation / seeds;
        }
        for (std::size_t i = 0; i < queues.size(); ++i) {
            run::QueueUse& sum = use.queues[i];
            sum.node = queues[i].node;
            sum.mean_input_bytes += queues[i].mean_input_bytes / seeds;
            sum.mean_output_bytes += queues[i].mean_output_bytes / seeds;
            sum.peak_input_bytes = std::max(sum.peak_input_bytes, queues[i].peak_input_bytes);
            sum.peak_output_bytes = std::max(sum.peak_output_bytes, queues[i].peak_output_bytes);
        }
    }
    if (use.channels.empty()) {
        use.channels = std::move(channels);
    }
    return use;
}

}  // namespace

std::vector<VariedPoint> varied_points(const ExperimentResult& result) {
    std::vector<VariedPoint> points;
    for (const PointResult& point : result.points) {
        VariedPoint varied{point.label, {}};
        for (const auto& [key, value] : point.configuration) {
            // What is recorded of a run, and which random numbers it draws, is not what it is of.
            if (!key.starts_with("trace.") && !key.starts_with("run.")) {
                varied.values.emplace_back(key, value);
            }
        }
        points.push_back(std::move(varied));
    }
    return points;
}

std::vector<Figure> metric_figures(const ExperimentResult& result) {
    std::vector<Figure> figures;
    if (!run::load_curves(result).empty()) {
        add_load_figures(result, figures);
        if (!figures.empty()) {
            return figures;
        }
    }
    const std::vector<VariedPoint> points = varied_points(result);
    const std::optional<PointCurves> curves = curves_of(points);
    for (const std::string& metric : metrics_to_draw(result)) {
        if (!curves) {
            add_dot_figure(result, metric, figures);
            continue;
        }
        for (const PointCurves& group : split_curves(points, *curves, kMostCurves)) {
            add_line_figures(result, metric, group, figures);
        }
    }
    return figures;
}

std::vector<Figure> cycle_figures(const ExperimentResult& result) {
    std::vector<Figure> figures;
    add_round_trip_figure(result, figures);
    add_cost_figure(result, figures);
    add_packed_figure(result, figures);
    return figures;
}

std::vector<Figure> particular_figures(const ExperimentResult& result) {
    std::vector<Figure> figures;
    for (const PointResult& point : result.points) {
        add_transfer_figures(result, point, figures);
        add_queue_figure(result, point, figures);
    }
    add_unloaded_figure(result, figures);
    return figures;
}

std::vector<Figure> network_figures(const ExperimentResult& result) {
    std::vector<NetworkUse> uses;
    double most_utilisation = 0.0;
    double most_bytes = 0.0;
    for (const PointResult& point : result.points) {
        NetworkUse use = use_of_point(result, point);
        const bool is_empty = use.channels.empty();
        if (is_empty) {
            continue;
        }
        use.title = "channels and input queues" + in_point(result, point);
        use.caption =
            result.kernel == "open-loop"
                ? "Shares of the cycles of the measurement; means over the seeds."
                : "Of all cycles of the run; means over the seeds, and the greatest peak.";
        for (const run::ChannelUse& channel : use.channels) {
            most_utilisation = std::max(most_utilisation, channel.utilisation);
        }
        for (const run::QueueUse& queue : use.queues) {
            most_bytes = std::max(most_bytes, queue.mean_input_bytes);
        }
        uses.push_back(std::move(use));
    }
    std::vector<Figure> figures;
    for (NetworkUse& use : uses) {
        use.most_utilisation = most_utilisation;
        use.most_bytes = most_bytes;
        figures.push_back(network_map(use));
    }
    return figures;
}

std::vector<Figure> sensitivity_figures(const ExperimentResult& result) {
    const std::string metric = run::main_metric_of(result);
    const run::Estimate* base =
        metric.empty() ? nullptr : run::find_estimate(result.points.front(), metric);
    if (result.sensitivity.empty() || base == nullptr || base->mean == 0.0) {
        return {};
    }
    TornadoChart chart;
    chart.title = "how much what is not published matters";
    chart.caption = fmt::format(
        "Change of {} where one thing is otherwise than in the first point, whose is {}.",
        spaced_name(metric), shown_number(base->mean));
    chart.value_label = "change of " + spaced_name(metric) + ", %";
    for (const run::SensitivityResult& row : result.sensitivity) {
        TornadoFactor factor{row.what, {}};
        for (const PointResult& variant : row.variants) {
            if (const run::Estimate* value = run::find_estimate(variant, metric)) {
                factor.values.push_back(
                    {variant.label, 100.0 * (value->mean / base->mean - 1.0),
                     value->half_width ? std::optional(100.0 * *value->half_width / base->mean)
                                       : std::nullopt});
            }
        }
        chart.factors.push_back(std::move(factor));
    }
    return {tornado_figure(std::move(chart))};
}

}  // namespace weir::experiments::report
