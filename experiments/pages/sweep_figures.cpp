#include "experiments/pages/sweep_figures.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/pages/findings/varied_groups.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using records::Curve;
using records::CurveKind;
using records::DotChart;
using records::LineChart;
using records::TornadoChart;
using records::TornadoFactor;

constexpr std::size_t kMostSweepCurves = 8;
constexpr std::size_t kMostModelCurves = 12;

std::vector<std::size_t> points_about(const SweepValues& values, const std::string& metric) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < values.points().size(); ++i) {
        if (values.points()[i].main_metric == metric) {
            found.push_back(i);
        }
    }
    return found;
}

std::string intervals_text(const SweepValues& values, const std::vector<std::size_t>& points,
                           const std::string& metric) {
    std::size_t most = 0;
    for (const std::size_t point : points) {
        most = std::max(most, values.sample(point, metric).values.size());
    }
    return most > 1 ? fmt::format("Means of {} seeds with 95 % confidence intervals.", most)
                    : "One seed a point.";
}

LineChart lines_of(const SweepValues& values, const std::vector<std::size_t>& points,
                   const PointCurves& group, const std::string& metric) {
    LineChart chart;
    chart.title = setup::spaced_name(metric) + " over " + setup::spaced_name(group.key);
    chart.caption = intervals_text(values, points, metric);
    chart.x_name = group.key;
    chart.y_name = metric;
    chart.x_label = setup::spaced_name(group.key);
    chart.y_label = setup::spaced_name(metric);
    chart.x_is_logarithmic = group.is_logarithmic;
    const std::vector<std::string> models = values.models_of(metric);
    const bool with_models = models.size() * group.series.size() <= kMostModelCurves;
    for (const PointSeries& series : group.series) {
        Curve measured{CurveKind::kMeasured, "measured", series.name, {}, false};
        for (const auto& [x, index] : series.points) {
            if (const auto value = values.estimate(points[index], metric)) {
                measured.points.push_back({x, value->mean, value->half_width});
            }
        }
        chart.curves.push_back(std::move(measured));
        for (const std::string& model : models) {
            Curve said{CurveKind::kModel, model, series.name, {}, false};
            for (const auto& [x, index] : series.points) {
                const auto value =
                    values.estimate(points[index], fmt::format("{}.{}", model, metric));
                if (with_models && value) {
                    said.points.push_back({x, value->mean, std::nullopt});
                }
            }
            chart.curves.push_back(std::move(said));
        }
    }
    std::erase_if(chart.curves, [](const Curve& curve) { return curve.points.empty(); });
    if (!models.empty() && !with_models) {
        chart.caption += " What the models say is in the table: here it would hide the rest.";
    }
    return chart;
}

std::string value_of_key(const VariedPoint& point, const std::string& key) {
    for (const auto& [name, value] : point.values) {
        if (name == key) {
            return setup::value_text(value);
        }
    }
    return "";
}

// The last key that is not implied by others tells bars of a group apart.
DotChart bars_of(const SweepValues& values, const std::vector<std::size_t>& points,
                 const std::vector<VariedPoint>& varied, const std::string& metric) {
    std::vector<std::string> keys = independent_keys(varied);
    const std::string by = keys.size() > 1 ? keys.back() : "";
    if (!by.empty()) {
        keys.pop_back();
    }
    DotChart chart;
    chart.title = setup::spaced_name(metric);
    chart.caption = intervals_text(values, points, metric);
    chart.category_name = "point";
    chart.value_name = metric;
    chart.value_label = setup::spaced_name(metric);
    chart.as_bars = true;
    const auto index_of = [](std::vector<std::string>& known, const std::string& name) {
        const auto found = std::find(known.begin(), known.end(), name);
        if (found == known.end()) {
            known.push_back(name);
            return known.size() - 1;
        }
        return static_cast<std::size_t>(found - known.begin());
    };
    std::vector<std::string> series;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto value = values.estimate(points[i], metric);
        std::string category;
        for (const std::string& key : keys) {
            const std::string text = value_of_key(varied[i], key);
            category += category.empty() ? "" : ", ";
            if (key != "label" && key != "kernel") {
                category.append(key).append(" = ");
            }
            category += text;
        }
        const std::string name = by.empty() ? "measured" : by + " = " + value_of_key(varied[i], by);
        const std::size_t s = index_of(series, name);
        if (chart.series.size() < series.size()) {
            chart.series.push_back({CurveKind::kMeasured, name, {}});
        }
        const std::size_t c = index_of(chart.categories, category);
        if (value) {
            chart.series[s].dots.push_back({c, value->mean, value->half_width});
        }
    }
    return chart;
}

}  // namespace

std::vector<records::Figure> crossed_figures(const SweepValues& values) {
    std::vector<records::Figure> figures;
    for (const std::string& metric : values.main_metrics()) {
        const std::vector<std::size_t> points = points_about(values, metric);
        std::vector<VariedPoint> varied;
        varied.reserve(points.size());
        for (const std::size_t point : points) {
            varied.push_back(values.varied(point));
        }
        const std::optional<PointCurves> curves = curves_of(varied);
        if (!curves) {
            constexpr std::size_t kMostGroups = 60;
            DotChart chart = bars_of(values, points, varied, metric);
            const bool any = std::any_of(chart.series.begin(), chart.series.end(),
                                         [](const auto& series) { return !series.dots.empty(); });
            if (any && chart.categories.size() <= kMostGroups) {
                figures.push_back({"", chart});
            }
            continue;
        }
        for (const PointCurves& group : split_curves(varied, *curves, kMostSweepCurves)) {
            const LineChart chart = lines_of(values, points, group, metric);
            if (!chart.is_empty()) {
                figures.push_back({"", chart});
            }
        }
    }
    return figures;
}

std::vector<records::Figure> one_at_a_time_figures(const SweepValues& values,
                                                   const std::string& metric,
                                                   const std::vector<std::size_t>& points) {
    std::vector<records::Figure> figures;
    for (VariedGroup group : varied_groups(values)) {
        group.metric = metric.empty() ? group.metric : metric;
        const auto is_left_out = [&points](std::size_t point) {
            return !points.empty() &&
                   std::find(points.begin(), points.end(), point) == points.end();
        };
        if (is_left_out(group.base)) {
            continue;
        }
        std::erase_if(group.points, is_left_out);
        TornadoChart chart;
        chart.factors = tornado_factors(values, group);
        if (chart.factors.empty()) {
            continue;
        }
        const std::string of = group.label.empty() ? "" : group.label + ": ";
        chart.title = of + "what changes " + setup::spaced_name(group.metric) + " most";
        chart.caption = fmt::format(
            "Each axis alone around the file's own values, where it is {}; bars end at the least "
            "and the greatest, dots are all values{}.",
            setup::shown_number(values.sample(group.base, group.metric).mean()),
            values.sample(group.base, group.metric).values.size() > 1
                ? " with Welch's 95 % confidence interval of the change"
                : "");
        chart.value_label = "change of " + setup::spaced_name(group.metric) + ", % of the base";
        figures.push_back({"", std::move(chart)});
    }
    return figures;
}

std::optional<records::Table> swing_table(const SweepValues& values) {
    const std::vector<VariedGroup> groups = varied_groups(values);
    if (values.design() != records::SweepDesign::kOneAtATime || groups.size() < 2) {
        return std::nullopt;
    }
    records::Table table;
    table.caption = "From the least to the greatest change by each axis alone, % of the base";
    table.columns = {{"axis", "", false}};
    std::vector<std::vector<TornadoFactor>> of_groups;
    std::vector<std::string> axes;
    for (const VariedGroup& group : groups) {
        table.columns.push_back({group.label, setup::spaced_name(group.metric), true});
        of_groups.push_back(tornado_factors(values, group));
        for (const TornadoFactor& factor : of_groups.back()) {
            if (std::find(axes.begin(), axes.end(), factor.name) == axes.end()) {
                axes.push_back(factor.name);
            }
        }
    }
    for (const std::string& axis : axes) {
        std::vector<records::TableCell> row{records::text_cell(axis)};
        for (const std::vector<TornadoFactor>& factors : of_groups) {
            const auto factor = std::find_if(factors.begin(), factors.end(),
                                             [&axis](const auto& f) { return f.name == axis; });
            row.push_back(factor == factors.end() || factor->values.empty()
                              ? records::absent_cell()
                              : records::number_cell(factor->swing_percent()));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace weir::experiments::pages
