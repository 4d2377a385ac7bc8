#include "experiments/pages/sweep_figures.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/pages/findings/varied_groups.h"
#include "experiments/setup/parameters/parameter_value.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using records::Curve;
using records::CurveKind;
using records::DotChart;
using records::DotSeries;
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
                    : "One seed per point.";
}

// Common label of a figure's points; empty if they differ.
std::string subject_of(const SweepValues& values, const std::vector<std::size_t>& points,
                       const PointCurves& group) {
    std::optional<std::string> subject;
    for (const PointSeries& series : group.series) {
        for (const auto& [x, index] : series.points) {
            const std::string label = values.varied(points[index]).label;
            if (subject.value_or(label) != label) {
                return "";
            }
            subject = label;
        }
    }
    return subject.value_or("");
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
    chart.axis.subject = subject_of(values, points, group);
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
        chart.caption +=
            " Predictions are only in the table: here they would hide the measurements.";
    }
    return chart;
}

// Bars side by side, over the values of a key.
DotChart bars_of(const SweepValues& values, const std::vector<std::size_t>& points,
                 const CategoryCurves& over, const PointCurves& group, const std::string& metric) {
    const std::string name = setup::spaced_name(setup::short_key(group.key));
    DotChart chart;
    chart.title = setup::spaced_name(metric) + " by " + name;
    chart.caption = intervals_text(values, points, metric);
    chart.category_name = group.key;
    chart.value_name = metric;
    chart.value_label = setup::spaced_name(metric);
    chart.as_bars = true;
    chart.axis.subject = subject_of(values, points, group);
    for (const std::string& category : over.categories) {
        chart.categories.push_back(
            group.key == "label" || group.key == "kernel" ? category : name + " = " + category);
    }
    for (const PointSeries& series : group.series) {
        DotSeries& dots = chart.series.emplace_back(CurveKind::kMeasured,
                                                    series.name.empty() ? "measured" : series.name,
                                                    std::vector<records::Dot>{});
        for (const auto& [place, index] : series.points) {
            if (const auto value = values.estimate(points[index], metric)) {
                dots.dots.push_back(
                    {static_cast<std::size_t>(place), value->mean, value->half_width});
            }
        }
    }
    std::erase_if(chart.series, [](const DotSeries& series) { return series.dots.empty(); });
    return chart;
}

// Adds bars if the strongest parameter is not a number with at least three values.
void add_bars(const SweepValues& values, const std::vector<std::size_t>& points,
              const std::vector<VariedPoint>& varied, const std::string& key,
              const std::string& metric, std::vector<records::Figure>& figures) {
    constexpr std::size_t kMostBarGroups = 60;
    const CategoryCurves over = category_curves_of(varied, key);
    if (over.categories.size() > kMostBarGroups) {
        return;
    }
    for (const PointCurves& group : split_curves(varied, over.curves, kMostSweepCurves)) {
        DotChart chart = bars_of(values, points, over, group, metric);
        if (!chart.series.empty()) {
            figures.push_back({"", std::move(chart)});
        }
    }
}

}  // namespace

std::vector<records::Figure> crossed_figures(const SweepValues& values) {
    std::vector<records::Figure> figures;
    for (const std::string& metric : values.main_metrics()) {
        const std::vector<std::size_t> points = points_about(values, metric);
        std::vector<VariedPoint> varied;
        std::vector<std::optional<double>> means;
        for (const std::size_t point : points) {
            varied.push_back(values.varied(point));
            const auto value = values.estimate(point, metric);
            means.push_back(value ? std::optional(value->mean) : std::nullopt);
        }
        const std::string key = strongest_key(varied, means);
        const bool is_number = !key.empty() && key == strongest_number(varied, means);
        const std::optional<PointCurves> curves =
            key.empty() || is_number ? curves_of(varied, key) : std::nullopt;
        if (!curves) {
            const std::vector<std::string> keys = independent_keys(varied);
            if (!key.empty() || !keys.empty()) {
                add_bars(values, points, varied, key.empty() ? keys.front() : key, metric, figures);
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
        chart.title = of + "axes that change " + setup::spaced_name(group.metric) + " most";
        chart.caption = fmt::format(
            "Each axis alone around the base, whose value is {}; bars end at the least and the "
            "greatest, dots are all values{}.",
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
