#include "experiments/report/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "experiments/report/chart_style.h"
#include "experiments/report/gnuplot.h"

namespace weir::experiments::report {

namespace {

constexpr std::size_t kMostMarkedPoints = 60;
// gnuplot's pointtypes that differ most: filled circle, square, triangle, diamond, and open ones.
constexpr std::array kPointTypes{7, 5, 9, 11, 6, 4, 8};

std::size_t index_in(std::vector<std::string>& known, const std::string& name) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found != known.end()) {
        return static_cast<std::size_t>(found - known.begin());
    }
    known.push_back(name);
    return known.size() - 1;
}

/// How the curves are told apart.
class LineStyles {
  public:
    explicit LineStyles(const std::vector<Curve>& curves) {
        for (const Curve& curve : curves) {
            index_in(series_, curve.series);
            if (curve.kind == CurveKind::kModel) {
                index_in(models_, curve.who);
            }
        }
    }

    [[nodiscard]] std::string plot(const Curve& curve, const std::string& data) {
        const bool by_series = series_.size() > 1;
        const std::size_t series = index_in(series_, curve.series);
        const std::string title = fmt::format("title \"{}\"", gnuplot_plain(name_of(curve)));
        if (curve.kind == CurveKind::kModel) {
            const std::size_t model = index_in(models_, curve.who);
            return fmt::format(
                "{} using 1:2 with lines linewidth 1.8 dashtype {} linecolor rgb \"{}\" {}", data,
                by_series ? 2 + model % 4 : 1 + model / kSeriesColours,
                series_colour(by_series ? series : model), title);
        }
        if (curve.kind == CurveKind::kPublished) {
            return fmt::format(
                "{} using 1:2 with points pointtype {} pointsize 1.2 linewidth 1.6 linecolor rgb "
                "\"{}\" {}",
                data, kOpenDiamond, by_series ? series_colour(series) : kPublishedColour, title);
        }
        return measured(curve, data, by_series ? series_colour(series) : kMeasuredColour, series,
                        title);
    }

  private:
    [[nodiscard]] std::string name_of(const Curve& curve) const {
        if (series_.size() == 1 || curve.series.empty()) {
            return curve.who;
        }
        return curve.kind == CurveKind::kMeasured && !models_.empty()
                   ? curve.series
                   : curve.series + (curve.who == "measured" ? "" : ", " + curve.who);
    }

    [[nodiscard]] static std::string measured(const Curve& curve, const std::string& data,
                                              std::string_view colour, std::size_t series,
                                              const std::string& title) {
        if (curve.is_steps) {
            return fmt::format("{} using 1:2 with steps linewidth 1.6 linecolor rgb \"{}\" {}",
                               data, colour, title);
        }
        const bool is_marked = curve.points.size() <= kMostMarkedPoints;
        std::string text =
            fmt::format("{} using 1:2 with {} linewidth 1.2 {} linecolor rgb \"{}\" {}", data,
                        is_marked ? "linespoints" : "lines",
                        is_marked ? fmt::format("pointtype {} pointsize 0.75",
                                                kPointTypes[series % kPointTypes.size()])
                                  : "",
                        colour, title);
        const bool has_interval = std::any_of(curve.points.begin(), curve.points.end(),
                                              [](const auto& p) { return p.half_width; });
        if (has_interval) {
            text += fmt::format(
                ", \\\n     {} using 1:2:3 with yerrorbars pointtype 0 linewidth 1.2 linecolor "
                "rgb \"{}\" notitle",
                data, colour);
        }
        return text;
    }

    std::vector<std::string> series_;
    std::vector<std::string> models_;
};

bool is_drawn(const LineChart& chart, const CurvePoint& point) {
    return std::isfinite(point.x) && std::isfinite(point.y) &&
           (!chart.x_is_logarithmic || point.x > 0.0) && (!chart.y_is_logarithmic || point.y > 0.0);
}

std::string rows_of(const LineChart& chart, const Curve& curve) {
    std::string rows;
    for (const CurvePoint& point : curve.points) {
        if (is_drawn(chart, point)) {
            rows += fmt::format("{} {} {}\n", point.x, point.y,
                                point.half_width ? fmt::format("{}", *point.half_width) : "NaN");
        }
    }
    return rows;
}

// From zero, unless that leaves no more than a strip for the curves.
std::string range_of(const LineChart& chart) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (const Curve& curve : chart.curves) {
        for (const CurvePoint& point : curve.points) {
            if (is_drawn(chart, point)) {
                least = std::min(least, point.y);
                most = std::max(most, point.y);
            }
        }
    }
    constexpr double kStrip = 0.6;
    if (chart.y_is_logarithmic) {
        return "set logscale y\nset yrange [*:*]\n";
    }
    return least >= 0.0 && least < kStrip * most ? "set yrange [0:*]\n" : "set yrange [*:*]\n";
}

DataTable data_of(const LineChart& chart) {
    const bool has_series = std::any_of(chart.curves.begin(), chart.curves.end(),
                                        [](const Curve& curve) { return !curve.series.empty(); });
    DataTable data;
    data.columns = {"who", chart.x_name, chart.y_name, "confidence_half_width_95"};
    if (has_series) {
        data.columns.insert(data.columns.begin() + 1, "series");
    }
    for (const Curve& curve : chart.curves) {
        for (const CurvePoint& point : curve.points) {
            std::vector<DataTable::Cell> row{
                curve.who, point.x, point.y,
                point.half_width ? DataTable::Cell(*point.half_width) : DataTable::Cell()};
            if (has_series) {
                row.insert(row.begin() + 1, curve.series);
            }
            data.rows.push_back(std::move(row));
        }
    }
    return data;
}

}  // namespace

bool LineChart::is_empty() const {
    return std::none_of(curves.begin(), curves.end(), [this](const Curve& curve) {
        return std::any_of(curve.points.begin(), curve.points.end(),
                           [this](const CurvePoint& point) { return is_drawn(*this, point); });
    });
}

Figure line_figure(const LineChart& chart) {
    Figure figure;
    figure.title = chart.title;
    figure.caption = chart.caption;
    figure.data = data_of(chart);
    LineStyles styles(chart.curves);
    std::string blocks;
    std::string plots;
    std::size_t longest_name = 0;
    // Curves below, points above them.
    for (const CurveKind kind : {CurveKind::kModel, CurveKind::kMeasured, CurveKind::kPublished}) {
        for (std::size_t i = 0; i < chart.curves.size(); ++i) {
            const Curve& curve = chart.curves[i];
            const std::string rows = curve.kind == kind ? rows_of(chart, curve) : "";
            if (!rows.empty()) {
                const std::string name = fmt::format("$curve_{}", i + 1);
                blocks += data_block(name, rows);
                plots += (plots.empty() ? "" : ", \\\n     ") + styles.plot(curve, name);
                longest_name = std::max(longest_name, curve.series.size() + curve.who.size());
            }
        }
    }
    constexpr std::size_t kLongNames = 50;  // which are better one below the other
    figure.script = blocks + chart_settings() + axis_label("x", chart.x_label) +
                    axis_label("y", chart.y_label) +
                    (chart.x_is_logarithmic ? "set logscale x\n" : "") + range_of(chart) +
                    (longest_name > kLongNames ? "set key vertical maxrows 30\n" : "") +
                    "set offsets graph 0.03, graph 0.03, graph 0.05, 0\nplot " + plots + "\n";
    return figure;
}

}  // namespace weir::experiments::report
