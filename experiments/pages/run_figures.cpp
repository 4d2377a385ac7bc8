#include "experiments/pages/run_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

#include "experiments/analyses/patterns/iterations.h"
#include "experiments/kinds/kernel/network_playback.h"
#include "experiments/kinds/kernel/network_use.h"
#include "experiments/kinds/kind.h"
#include "experiments/kinds/metric_label.h"
#include "experiments/kinds/open_loop/load_curve.h"
#include "experiments/kinds/open_loop/open_loop_kind.h"
#include "experiments/pages/figures/chart_style.h"
#include "experiments/records/point_values.h"
#include "experiments/records/stored_result.h"
#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/parameters/parameter_value.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using records::Curve;
using records::CurveKind;
using records::Dot;
using records::DotChart;
using records::DotSeries;
using records::LineChart;
using records::NetworkUse;
using records::StackedBar;
using records::StackedBars;
using records::TornadoChart;
using records::TornadoFactor;

using records::ExperimentResult;
using records::PointResult;

constexpr std::size_t kMostCurves = 8;
constexpr std::size_t kMostMetrics = 10;
constexpr std::size_t kMostCategories = 60;

// Metrics in the order of their figures: the main metric, those published for several points, then
// other predicted ones.
std::vector<std::string> metrics_to_draw(const ExperimentResult& result) {
    std::vector<std::string> metrics;
    const auto add = [&metrics](const std::string& name) {
        if (!name.empty() && std::find(metrics.begin(), metrics.end(), name) == metrics.end()) {
            metrics.push_back(name);
        }
    };
    add(result.leading_metric);
    for (const PointResult& point : result.points) {
        for (const setup::Published& each : point.published) {
            if (records::find_comparable(point, each.metric)) {
                add(each.metric);
            }
        }
    }
    for (const PointResult& point : result.points) {
        for (const records::Estimate& measured : point.measured) {
            if (!records::models_of(result, measured.name).empty()) {
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
    chart.title = kinds::metric_label(metric) + ", over " + setup::short_key(curves.key);
    chart.caption = records::seeds_text(result) + records::sources_of(result, metric);
    chart.x_name = curves.key;
    chart.y_name = metric;
    chart.x_label = curves.key;
    chart.y_label = kinds::metric_label(metric);
    chart.x_is_logarithmic = curves.is_logarithmic;
    chart.axis.subject = result.title;
    for (const PointSeries& series : curves.series) {
        Curve measured{CurveKind::kMeasured, "measured", series.name, {}, false};
        Curve of_paper{CurveKind::kPublished, "published", series.name, {}, false};
        for (const auto& [x, index] : series.points) {
            const PointResult& point = result.points[index];
            if (const auto value = records::find_comparable(point, metric)) {
                measured.points.push_back({x, value->mean, value->half_width});
            }
            for (const double value : records::published_values(point, metric)) {
                of_paper.points.push_back({x, value, std::nullopt});
            }
        }
        chart.curves.push_back(std::move(measured));
        for (const std::string& model : records::models_of(result, metric)) {
            Curve curve{CurveKind::kModel, model, series.name, {}, false};
            for (const auto& [x, index] : series.points) {
                if (const auto value =
                        records::predicted_value(result.points[index], model, metric)) {
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

// Adds one figure, or one per series if the curves of all models would hide each other.
void add_line_figures(const ExperimentResult& result, const std::string& metric,
                      const PointCurves& curves, std::vector<records::Figure>& figures) {
    constexpr std::size_t kMostTogether = 12;
    const std::size_t models = records::models_of(result, metric).size();
    const auto add = [&figures](const LineChart& chart) {
        if (!chart.is_empty()) {
            figures.push_back({"", chart});
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

/// A point's metric according to one source.
struct Said {
    std::string who;
    double value = 0.0;
    std::optional<double> half_width;
};

constexpr const char* kMeasured = "measured";
constexpr const char* kPublished = "published";

std::vector<Said> said_of(const ExperimentResult& result, const PointResult& point,
                          const std::string& metric) {
    std::vector<Said> said;
    const std::vector<double> published = records::published_values(point, metric);
    const auto measured = records::find_comparable(point, metric);
    if (!measured && published.empty()) {
        return said;
    }
    if (measured) {
        said.push_back({kMeasured, measured->mean, measured->half_width});
    }
    for (const std::string& model : records::models_of(result, metric)) {
        if (const auto value = records::predicted_value(point, model, metric)) {
            said.push_back({model, *value, std::nullopt});
        }
    }
    for (const double value : published) {
        said.push_back({kPublished, value, std::nullopt});
    }
    return said;
}

// Chart without rows, with a series for each possible source.
DotChart dot_chart(const ExperimentResult& result, const std::vector<std::string>& metrics) {
    DotChart chart;
    chart.caption = records::seeds_text(result);
    chart.series.push_back({CurveKind::kMeasured, kMeasured, {}});
    for (const std::string& metric : metrics) {
        chart.caption += records::sources_of(result, metric);
        for (const std::string& model : records::models_of(result, metric)) {
            if (std::none_of(chart.series.begin(), chart.series.end(),
                             [&model](const DotSeries& each) { return each.name == model; })) {
                chart.series.push_back({CurveKind::kModel, model, {}});
            }
        }
    }
    chart.series.push_back({CurveKind::kPublished, kPublished, {}});
    return chart;
}

void put(const Said& said, std::size_t category, DotChart& chart) {
    const auto series =
        std::find_if(chart.series.begin(), chart.series.end(),
                     [&said](const DotSeries& each) { return each.name == said.who; });
    series->dots.push_back({category, said.value, said.half_width});
}

void add_dot_chart(DotChart chart, std::vector<records::Figure>& figures) {
    // A single number is shown in a table, without a chart.
    if (chart.categories.size() < 2 || chart.categories.size() > kMostCategories) {
        return;
    }
    constexpr double kManyTimes = 50.0;
    double least = INFINITY;
    double most = 0.0;
    for (const Dot& measured : chart.series.front().dots) {
        least = std::min(least, measured.value);
        most = std::max(most, measured.value);
    }
    chart.value_is_logarithmic = least > 0.0 && most > kManyTimes * least;
    std::erase_if(chart.series, [](const DotSeries& series) { return series.dots.empty(); });
    figures.push_back({"", std::move(chart)});
}

// Adds a chart of one metric with a row per point; for a single point, a row per source.
void add_dot_figure(const ExperimentResult& result, const std::string& metric,
                    std::vector<records::Figure>& figures) {
    const bool is_single = result.points.size() == 1;
    DotChart chart = dot_chart(result, {metric});
    chart.title = kinds::metric_label(metric);
    chart.category_name = "point";
    chart.value_name = metric;
    chart.value_label = kinds::metric_label(metric);
    chart.rows_name_series = is_single;
    for (const PointResult& point : result.points) {
        bool is_first = true;
        for (const Said& said : said_of(result, point, metric)) {
            if (is_single || is_first) {
                chart.categories.push_back(is_single ? said.who : point.label);
            }
            is_first = false;
            put(said, chart.categories.size() - 1, chart);
        }
    }
    add_dot_chart(std::move(chart), figures);
}

// Adds a chart of several metrics with a common unit at a single point, with a row per metric.
void add_dot_panel(const ExperimentResult& result, const std::string& unit,
                   const std::vector<std::string>& metrics, std::vector<records::Figure>& figures) {
    DotChart chart = dot_chart(result, metrics);
    chart.title = "other measurements" + (unit == "1" ? "" : ", " + unit);
    chart.category_name = "metric";
    chart.value_name = "value";
    chart.value_label = unit == "1" ? "" : unit;
    for (const std::string& metric : metrics) {
        const std::string label = kinds::metric_label(metric);
        chart.categories.push_back(label.substr(0, label.rfind(", " + unit)));
        for (const Said& said : said_of(result, result.points.front(), metric)) {
            put(said, chart.categories.size() - 1, chart);
        }
    }
    add_dot_chart(std::move(chart), figures);
}

// Adds a chart of the first metric. For a single point, the other metrics share a chart per unit.
void add_dot_figures(const ExperimentResult& result, const std::vector<std::string>& metrics,
                     std::vector<records::Figure>& figures) {
    const bool is_single = result.points.size() == 1;
    std::vector<std::pair<std::string, std::vector<std::string>>> by_unit;
    for (const std::string& metric : metrics) {
        if (!is_single || metric == metrics.front()) {
            add_dot_figure(result, metric, figures);
            continue;
        }
        if (said_of(result, result.points.front(), metric).size() < 2) {
            continue;
        }
        const std::string unit = kinds::unit_of(metric);
        auto group = std::find_if(by_unit.begin(), by_unit.end(),
                                  [&unit](const auto& each) { return each.first == unit; });
        if (group == by_unit.end()) {
            group = by_unit.insert(by_unit.end(), {unit, {}});
        }
        group->second.push_back(metric);
    }
    for (const auto& [unit, of_unit] : by_unit) {
        if (of_unit.size() == 1) {
            add_dot_figure(result, of_unit.front(), figures);
        } else {
            add_dot_panel(result, unit, of_unit, figures);
        }
    }
}

// ----------------------------------------------------------------------------- Cycles by part

constexpr std::size_t kMostBars = 30;

void add_round_trip_figure(const ExperimentResult& result, std::vector<records::Figure>& figures) {
    StackedBars chart;
    chart.title = "where the cycles go";
    chart.caption = "Exclusive parts, from the trace, that sum to the whole; means over the seeds.";
    chart.group_name = "point";
    chart.unit = "cycles";
    chart.value_label = "cycles";
    for (const PointResult& point : result.points) {
        for (const auto& [name, ignored] : point.round_trip) {
            const std::string shown = setup::spaced_name(name);
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
        StackedBar bar{point.label, "", {}, analyses::whole_round_trip(point)};
        for (const StackedBars::Part& part : chart.parts) {
            std::string name = part.name;
            std::replace(name.begin(), name.end(), ' ', '_');
            bar.parts.push_back(records::find_metric(point.round_trip, name));
        }
        chart.bars.push_back(std::move(bar));
    }
    if (!chart.bars.empty()) {
        figures.push_back({"", chart});
    }
}

// ------------------------------------------------------------------------------------ The network

// Sentence for a caption: " Busiest channel between routers: (3,1) +x, 7.4 %."
std::string busiest_text(const records::ChannelUses& channels) {
    const auto busiest = std::max_element(
        channels.begin(), channels.end(),
        [](const auto& a, const auto& b) { return a.utilisation < b.utilisation; });
    return fmt::format(
        " Busiest channel{}: {}, {} %.",
        records::are_between_routers(channels) ? " between routers" : ", to and from the nodes too",
        busiest->channel, setup::fixed_number(100.0 * busiest->utilisation, 1));
}

// Use of the network at a point: means over the seeds, greatest peak of any seed.
NetworkUse use_of_point(const ExperimentResult& result, const PointResult& point) {
    NetworkUse use;
    use.channels = kinds::channel_uses(*point.particulars);
    const std::vector<std::filesystem::path> folders = records::folders_of_point(result, point);
    const auto seeds = static_cast<double>(folders.size());
    records::ChannelUses channels;
    for (const std::filesystem::path& folder : folders) {
        const records::ChannelUses of_seed = kinds::read_channels(folder);
        const records::QueueUses queues = kinds::read_queues(folder);
        channels.resize(std::max(channels.size(), of_seed.size()));
        use.queues.resize(std::max(use.queues.size(), queues.size()));
        for (std::size_t i = 0; i < of_seed.size(); ++i) {
            channels[i].channel = of_seed[i].channel;
            channels[i].utilisation += of_seed[i].utilisation / seeds;
        }
        for (std::size_t i = 0; i < queues.size(); ++i) {
            records::QueueUse& sum = use.queues[i];
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
            // Settings of the trace and the run (seeds) do not tell points apart.
            if (!key.starts_with("trace.") && !key.starts_with("run.")) {
                varied.values.emplace_back(key, value);
            }
        }
        points.push_back(std::move(varied));
    }
    return points;
}

std::vector<records::Figure> metric_figures(const ExperimentResult& result) {
    std::vector<records::Figure> figures;
    const std::vector<kinds::LoadCurve> load_curves = kinds::load_curves(result);
    const bool has_load_curve =
        std::any_of(load_curves.begin(), load_curves.end(),
                    [](const kinds::LoadCurve& curve) { return curve.points.size() > 1; });
    if (has_load_curve) {
        return figures;  // network metrics are drawn over the load
    }
    const std::vector<VariedPoint> points = varied_points(result);
    std::vector<std::optional<double>> means;
    for (const PointResult& point : result.points) {
        const auto value = records::find_comparable(point, result.leading_metric);
        means.push_back(value ? std::optional(value->mean) : std::nullopt);
    }
    const std::optional<PointCurves> curves = curves_of(points, strongest_number(points, means));
    if (!curves) {
        add_dot_figures(result, metrics_to_draw(result), figures);
        return figures;
    }
    for (const std::string& metric : metrics_to_draw(result)) {
        for (const PointCurves& group : split_curves(points, *curves, kMostCurves)) {
            add_line_figures(result, metric, group, figures);
        }
    }
    return figures;
}

std::vector<records::Figure> cycle_figures(const ExperimentResult& result) {
    std::vector<records::Figure> figures;
    add_round_trip_figure(result, figures);
    return figures;
}

std::vector<records::Figure> network_figures(const ExperimentResult& result) {
    std::vector<NetworkUse> uses;
    double most_utilisation = 0.0;
    double most_bytes = 0.0;
    for (const PointResult& point : result.points) {
        NetworkUse use = use_of_point(result, point);
        const bool is_empty = use.channels.empty();
        if (is_empty) {
            continue;
        }
        use.title = (use.queues.empty() ? "channels" : "channels and input queues") +
                    records::in_point(result, point);
        use.caption = use.queues.empty()
                          ? "Shares of the cycles of the measurement; means over the seeds."
                          : "All cycles of the run; means over the seeds, and the greatest peak.";
        use.caption += busiest_text(use.channels);
        for (const records::ChannelUse& channel : use.channels) {
            most_utilisation = std::max(most_utilisation, channel.utilisation);
        }
        for (const records::QueueUse& queue : use.queues) {
            most_bytes = std::max(most_bytes, queue.mean_input_bytes);
        }
        uses.push_back(std::move(use));
    }
    std::vector<records::Figure> figures;
    if (most_utilisation == 0.0 && most_bytes == 0.0) {
        return figures;  // no message was sent
    }
    for (NetworkUse& use : uses) {
        use.most_utilisation = most_utilisation;
        use.most_bytes = most_bytes;
        figures.push_back({"", std::move(use)});
    }
    return figures;
}

std::vector<records::PlaybackFigure> network_playbacks(const ExperimentResult& result) {
    std::vector<const PointResult*> points;
    for (const PointResult& point : result.points) {
        const bool has_intervals = std::any_of(
            point.configuration.begin(), point.configuration.end(), [](const auto& each) {
                return each.first == "trace.interval_cycles" &&
                       setup::number_of(each.second).value_or(0.0) > 0.0;
            });
        if (has_intervals && !records::folders_of_point(result, point).empty()) {
            points.push_back(&point);
        }
    }
    std::vector<records::PlaybackFigure> figures;
    for (const PointResult* point : points) {
        kinds::PlaybackLimits limits;
        limits.numbers /= points.size();
        limits.messages /= points.size();
        figures.push_back(
            {"channels and queues over time" + records::in_point(result, *point),
             "First seed, from its trace. A channel's known messages are those in the network at "
             "the time whose route leads through it.",
             [point = *point, folder = records::folders_of_point(result, *point).front(), limits] {
                 return kinds::read_playback(point, folder, limits);
             }});
    }
    return figures;
}

std::vector<records::Figure> sensitivity_figures(const ExperimentResult& result) {
    const std::string metric = result.leading_metric;
    const records::Estimate* base =
        metric.empty() ? nullptr : records::find_estimate(result.points.front(), metric);
    if (result.sensitivity.empty() || base == nullptr || base->mean == 0.0) {
        return {};
    }
    TornadoChart chart;
    chart.title = "sensitivity to unpublished parameters";
    chart.caption = fmt::format(
        "Change of {} with one property changed from the first point, whose value is {}.",
        setup::spaced_name(metric), setup::shown_number(base->mean));
    chart.value_label = "change of " + setup::spaced_name(metric) + ", %";
    for (const records::SensitivityResult& row : result.sensitivity) {
        TornadoFactor factor{row.what, {}};
        for (const PointResult& variant : row.variants) {
            if (const records::Estimate* value = records::find_estimate(variant, metric)) {
                factor.values.push_back(
                    {variant.label, 100.0 * (value->mean / base->mean - 1.0),
                     value->half_width ? std::optional(100.0 * *value->half_width / base->mean)
                                       : std::nullopt});
            }
        }
        chart.factors.push_back(std::move(factor));
    }
    return {{"", std::move(chart)}};
}

}  // namespace weir::experiments::pages
