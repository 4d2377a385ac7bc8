#include "experiments/pages/chosen_figures.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/pages/figures/chart_style.h"
#include "experiments/pages/sweep_figures.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using records::Curve;
using records::CurveKind;
using records::DotChart;
using records::DotSeries;
using records::LineChart;
using records::StackedBar;
using records::StackedBars;

using records::FigureChoice;

/// Makes one figure from a figure's choice in a study's file.
class ChosenFigure {
  public:
    ChosenFigure(const SweepValues& values, const FigureChoice& choice)
        : values_(values), choice_(choice), metrics_(choice.metrics), points_(choice.points) {
        if (metrics_.empty() && !points_.empty()) {
            metrics_.push_back(values.points()[points_.front()].main_metric);
        }
        for (const std::size_t point : points_) {
            varied_.push_back(values.varied(point));
            if (!choice.series.empty()) {
                keep_named_keys(varied_.back());
            }
        }
    }

    [[nodiscard]] std::vector<records::Figure> draw() {
        if (points_.empty()) {
            return {};
        }
        switch (choice_.kind) {
            case FigureChoice::Kind::kLines:
                return lines();
            case FigureChoice::Kind::kBars:
                return bars();
            case FigureChoice::Kind::kStacked:
                return stacked();
            default:
                return one_at_a_time_figures(
                    values_, choice_.metrics.empty() ? "" : metrics_.front(), points_);
        }
    }

  private:
    // Drops keys that neither `x` nor `series` names: the file's check found that they don't tell
    // points apart.
    void keep_named_keys(VariedPoint& point) const {
        std::erase_if(point.values, [this](const auto& entry) {
            return entry.first != choice_.x &&
                   std::find(choice_.series.begin(), choice_.series.end(), entry.first) ==
                       choice_.series.end();
        });
    }

    [[nodiscard]] std::string label_of_metrics() const {
        const std::string& first = metrics_.front();
        const std::size_t dot = first.find('.');
        const std::string name = dot == std::string::npos ? first : first.substr(dot + 1);
        return metrics_.size() == 1 || std::all_of(metrics_.begin(), metrics_.end(),
                                                   [&name](const std::string& metric) {
                                                       return metric.ends_with(name);
                                                   })
                   ? setup::spaced_name(name)
                   : "cycles";
    }

    [[nodiscard]] bool shows_changes() const { return !choice_.against_column.empty(); }

    // Label of the axis of values.
    [[nodiscard]] std::string label_of_values() const {
        return shows_changes()
                   ? fmt::format("% against {} = {}", setup::spaced_name(choice_.against_column),
                                 choice_.against_value)
                   : label_of_metrics();
    }

    // Value of a metric, or its change; nothing for the base of the changes. Without chosen
    // metrics, changes are those of the point's own main metric.
    [[nodiscard]] std::optional<records::Estimate> shown(std::size_t index,
                                                         const std::string& metric) {
        const std::size_t point = points_[index];
        if (!shows_changes()) {
            return values_.estimate(point, metric);
        }
        const std::optional<std::size_t> base =
            values_.point_like(point, choice_.against_column, choice_.against_value);
        if (!base || *base == point) {
            return std::nullopt;
        }
        return values_.change_percent(
            point, *base, choice_.metrics.empty() ? values_.points()[point].main_metric : metric);
    }

    [[nodiscard]] std::string title(const std::string& otherwise) const {
        return choice_.title.empty() ? otherwise : choice_.title;
    }

    // Name of a series: "measured", or the predicting model; the metric if several are shown.
    [[nodiscard]] std::string source_of(const std::string& metric) const {
        const std::size_t dot = metric.find('.');
        std::string source = dot == std::string::npos ? "measured" : metric.substr(0, dot);
        if (metrics_.size() > 1 && (source == "measured" || source == "round_trip")) {
            const bool is_only_measured =
                std::count_if(metrics_.begin(), metrics_.end(), [](const std::string& each) {
                    return each.find('.') == std::string::npos || each.starts_with("measured.");
                }) == 1;
            return is_only_measured && source == "measured"
                       ? source
                       : setup::spaced_name(dot == std::string::npos ? metric
                                                                     : metric.substr(dot + 1));
        }
        return source;
    }

    [[nodiscard]] static CurveKind kind_of(const std::string& metric) {
        const std::size_t dot = metric.find('.');
        const bool is_of_runs = dot == std::string::npos || metric.starts_with("measured.") ||
                                metric.starts_with("round_trip.") ||
                                metric.starts_with("compared.");
        return is_of_runs ? CurveKind::kMeasured : CurveKind::kModel;
    }

    [[nodiscard]] std::vector<records::Figure> lines() {
        const std::optional<PointCurves> curves = curves_of(varied_, choice_.x);
        if (!curves) {
            return bars();
        }
        LineChart chart;
        chart.title = title(label_of_metrics() + " over " + setup::spaced_name(curves->key));
        chart.caption = choice_.caption;
        chart.x_name = curves->key;
        chart.y_name = shows_changes()        ? "change_percent"
                       : metrics_.size() == 1 ? metrics_.front()
                                              : "value";
        chart.x_label = setup::spaced_name(curves->key);
        chart.y_label = label_of_values();
        chart.x_is_logarithmic = choice_.x_is_logarithmic.value_or(curves->is_logarithmic);
        chart.y_is_logarithmic = choice_.y_is_logarithmic;
        chart.axis.is_signed = shows_changes();
        for (const PointSeries& series : curves->series) {
            for (const std::string& metric : metrics_) {
                const CurveKind kind = kind_of(metric);
                const std::string who = source_of(metric);
                // Each of several measured metrics is its own series.
                const bool is_own = kind == CurveKind::kMeasured && who != "measured";
                const std::string name =
                    is_own ? series.name + (series.name.empty() ? "" : ", ") + who : series.name;
                Curve curve{kind, is_own ? "measured" : who, name, {}, false};
                for (const auto& [x, index] : series.points) {
                    if (const auto value = shown(index, metric)) {
                        curve.points.push_back(
                            {x, value->mean,
                             kind == CurveKind::kMeasured ? value->half_width : std::nullopt});
                    }
                }
                if (!curve.points.empty()) {
                    chart.curves.push_back(std::move(curve));
                }
            }
        }
        return chart.is_empty() ? std::vector<records::Figure>{}
                                : std::vector<records::Figure>{{"", chart}};
    }

    [[nodiscard]] static std::string text_at(const VariedPoint& point, const std::string& key) {
        for (const auto& [name, value] : point.values) {
            if (name == key) {
                return setup::value_text(value);
            }
        }
        return "";
    }

    // Position of the point on the axis, and the text that tells it from others at this position.
    [[nodiscard]] std::pair<std::string, std::string> place_of(std::size_t index) const {
        std::vector<std::string> keys = independent_keys(varied_);
        const std::string x = !choice_.x.empty() ? choice_.x : keys.empty() ? "" : keys.front();
        std::string others;
        for (const std::string& key : keys) {
            if (key != x) {
                others += (others.empty() ? "" : ", ") +
                          (key == "label" ? "" : setup::spaced_name(key) + " = ") +
                          text_at(varied_[index], key);
            }
        }
        const std::string at = text_at(varied_[index], x);
        return {
            x.empty() || x == "label" || x == "kernel" ? at : setup::spaced_name(x) + " = " + at,
            others};
    }

    [[nodiscard]] std::vector<records::Figure> bars() {
        DotChart chart;
        chart.title = title(label_of_metrics());
        chart.caption = choice_.caption;
        chart.category_name = choice_.x.empty() ? "point" : choice_.x;
        chart.value_name = shows_changes()        ? "change_percent"
                           : metrics_.size() == 1 ? metrics_.front()
                                                  : "value";
        chart.value_label = label_of_values();
        chart.value_is_logarithmic = choice_.y_is_logarithmic;
        chart.axis.is_signed = shows_changes();
        chart.as_bars = true;
        for (std::size_t i = 0; i < points_.size(); ++i) {
            const auto [category, others] = place_of(i);
            const auto at = std::find(chart.categories.begin(), chart.categories.end(), category);
            const std::size_t number = at - chart.categories.begin();
            if (at == chart.categories.end()) {
                chart.categories.push_back(category);
            }
            for (const std::string& metric : metrics_) {
                const std::string who = source_of(metric);
                std::string name = others.empty() ? who : others;
                if (!others.empty() && metrics_.size() > 1) {
                    name.append(", ").append(who);
                }
                auto series = std::find_if(chart.series.begin(), chart.series.end(),
                                           [&name](const auto& s) { return s.name == name; });
                if (series == chart.series.end()) {
                    series = chart.series.insert(chart.series.end(), {kind_of(metric), name, {}});
                }
                if (const auto value = shown(i, metric)) {
                    series->dots.push_back({number, value->mean, value->half_width});
                }
            }
        }
        std::erase_if(chart.series, [](const DotSeries& series) { return series.dots.empty(); });
        return chart.series.empty() ? std::vector<records::Figure>{}
                                    : std::vector<records::Figure>{{"", chart}};
    }

    [[nodiscard]] std::vector<records::Figure> stacked() {
        StackedBars chart;
        chart.title = title("where the cycles go");
        chart.caption = choice_.caption;
        chart.group_name = choice_.x.empty() ? "point" : choice_.x;
        chart.unit = "cycles";
        chart.value_label = "cycles";
        for (const std::string& metric : metrics_) {
            chart.parts.push_back(
                {source_of(metric), part_colour(metric.substr(metric.find('.') + 1))});
        }
        for (std::size_t i = 0; i < points_.size(); ++i) {
            const auto [group, who] = place_of(i);
            StackedBar bar{group, who, {}};
            bool any = false;
            for (const std::string& metric : metrics_) {
                const auto value = values_.estimate(points_[i], metric);
                any = any || value;
                bar.parts.push_back(value ? std::optional(value->mean) : std::nullopt);
            }
            if (any) {
                chart.bars.push_back(std::move(bar));
            }
        }
        std::stable_sort(chart.bars.begin(), chart.bars.end(),
                         [this](const StackedBar& a, const StackedBar& b) {
                             return group_number(a.group) < group_number(b.group);
                         });
        return chart.bars.empty() ? std::vector<records::Figure>{}
                                  : std::vector<records::Figure>{{"", chart}};
    }

    // Index of a group; groups are numbered in the order of their first points.
    [[nodiscard]] std::size_t group_number(const std::string& group) const {
        for (std::size_t i = 0; i < points_.size(); ++i) {
            if (place_of(i).first == group) {
                return i;
            }
        }
        return points_.size();
    }

    const SweepValues& values_;
    const FigureChoice& choice_;
    std::vector<std::string> metrics_;
    std::vector<std::size_t> points_;
    std::vector<VariedPoint> varied_;
};

}  // namespace

std::vector<records::Figure> chosen_figures(const SweepValues& values,
                                            const std::vector<FigureChoice>& choices) {
    std::vector<records::Figure> figures;
    for (const FigureChoice& choice : choices) {
        for (records::Figure& figure : ChosenFigure(values, choice).draw()) {
            figures.push_back(std::move(figure));
        }
    }
    return figures;
}

}  // namespace weir::experiments::pages
