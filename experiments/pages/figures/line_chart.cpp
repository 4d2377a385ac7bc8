#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "experiments/pages/figures/chart_style.h"
#include "experiments/pages/figures/drawing.h"
#include "experiments/pages/figures/gnuplot.h"
#include "experiments/records/document.h"

namespace weir::experiments::pages {

namespace {

using records::Curve;
using records::CurveKind;
using records::CurvePoint;
using records::LineChart;
using records::ValueRange;

constexpr std::size_t kMostMarkedPoints = 60;
// gnuplot pointtypes that differ most: filled circle, square, triangle, diamond, then open ones.
constexpr std::array kPointTypes{7, 5, 9, 11, 6, 4, 8};

std::size_t index_in(std::vector<std::string>& known, const std::string& name) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found != known.end()) {
        return found - known.begin();
    }
    known.push_back(name);
    return known.size() - 1;
}

/// Colours, dashes and marks that tell curves apart.
class LineStyles {
  public:
    explicit LineStyles(const std::vector<Curve>& curves) {
        for (const Curve& curve : curves) {
            index_in(series_, curve.series);
            if (curve.kind == CurveKind::kModel) {
                models_.add(curve.who);
            }
            is_measured_ = is_measured_ || curve.kind == CurveKind::kMeasured;
        }
    }

    /// Element of gnuplot's plot command for a curve. Its entry in the key also names the curves in
    /// `equal`, which look the same.
    [[nodiscard]] std::string plot(const Curve& curve, const std::vector<const Curve*>& equal,
                                   const std::string& data) {
        const bool by_series = series_.size() > 1;
        const std::size_t series = index_in(series_, curve.series);
        const std::string title =
            fmt::format("title \"{}\"", gnuplot_plain(name_with(curve, equal)));
        if (curve.kind == CurveKind::kModel) {
            const std::size_t model = models_.number_of(curve.who);
            // A series with measured values has solid curves for these; its models have dashes in
            // the same colour.
            const std::size_t dash =
                by_series ? (is_measured_ ? 2 : 1) + model % 4 : 1 + model / kSeriesColours;
            return fmt::format(
                "{} using 1:2 with {} linewidth 1.8 dashtype {} linecolor rgb \"{}\" {}", data,
                curve.points.size() == 1 ? "points pointtype 7" : "lines",
                dash + (by_series ? series / kSeriesColours : 0),
                series_colour(by_series ? series : model), title);
        }
        if (curve.kind == CurveKind::kPublished) {
            return fmt::format(
                "{} using 1:2 with points pointtype {} pointsize 1.2 linewidth 1.6 linecolor rgb "
                "\"{}\" {}",
                data, kOpenDiamond, by_series ? series_colour(series) : kPublishedColour, title);
        }
        if (curve.kind == CurveKind::kFront) {
            return fmt::format(
                "{0} using 1:2:3:4 with yerrorbars pointtype 7 pointsize 0.75 linewidth 1.2 "
                "linecolor rgb \"{1}\" notitle, \\\n     {0} using 1:2 with steps linewidth 1.6 "
                "linecolor rgb \"{1}\" {2}",
                data, by_series ? series_colour(series) : kMeasuredColour, title);
        }
        if (curve.kind == CurveKind::kEqual) {
            return fmt::format(
                "{} using 1:2:3:4 with yerrorbars pointtype 6 pointsize 0.9 linewidth 1.0 "
                "linecolor "
                "rgb \"{}\" {}",
                data, series_colour(by_series ? series : 0), title);
        }
        if (curve.kind == CurveKind::kOthers) {
            return fmt::format(
                "{} using 1:2 with points pointtype 7 pointsize 0.5 linecolor rgb \"{}\" {}", data,
                kOthersColour, title);
        }
        return measured(curve, data, by_series ? series_colour(series) : kMeasuredColour, series,
                        title);
    }

    /// True if the curve's intervals are drawn as a band below its points.
    [[nodiscard]] static bool has_band(const Curve& curve) {
        return curve.kind == CurveKind::kMeasured && !curve.is_steps && curve.points.size() > 1 &&
               std::any_of(curve.points.begin(), curve.points.end(),
                           [](const CurvePoint& point) { return point.half_width; });
    }
    /// Number of gnuplot elements of a curve.
    [[nodiscard]] static std::size_t elements(const Curve& curve) {
        return has_band(curve) || curve.kind == CurveKind::kFront ? 2 : 1;
    }
    /// Name of a curve in the key.
    [[nodiscard]] std::string name_with(const Curve& curve,
                                        const std::vector<const Curve*>& equal) const {
        if (equal.empty()) {
            return name_of(curve);
        }
        return name_of(curve) +
               (equal.size() == 1 ? ", " + name_of(*equal.front())
                                  : fmt::format(" and {} more", equal.size())) +
               " (equal curves)";
    }

  private:
    [[nodiscard]] std::string name_of(const Curve& curve) const {
        if (series_.size() == 1 || curve.series.empty()) {
            return curve.who;
        }
        return curve.kind == CurveKind::kMeasured && !models_.is_empty()
                   ? curve.series
                   : curve.series +
                         (curve.who == "measured" || curve.who.empty() ? "" : ", " + curve.who);
    }

    [[nodiscard]] static std::string measured(const Curve& curve, const std::string& data,
                                              std::string_view colour, std::size_t series,
                                              const std::string& title) {
        if (curve.is_steps) {
            return fmt::format("{} using 1:2 with steps linewidth 1.6 linecolor rgb \"{}\" {}",
                               data, colour, title);
        }
        const bool is_marked = curve.points.size() <= kMostMarkedPoints;
        const std::string mark =
            fmt::format("pointtype {} pointsize 0.75", kPointTypes[series % kPointTypes.size()]);
        if (curve.points.size() == 1 && curve.points.front().half_width) {
            return fmt::format(
                "{} using 1:2:3:4 with yerrorbars {} linewidth 1.2 linecolor rgb \"{}\" {}", data,
                mark, colour, title);
        }
        const std::string band = has_band(curve)
                                     ? fmt::format(
                                           "{} using 1:3:4 with filledcurves fillstyle "
                                           "transparent solid 0.2 noborder linecolor rgb \"{}\" "
                                           "notitle, \\\n     ",
                                           data, colour)
                                     : "";
        return band + fmt::format("{} using 1:2 with {} linewidth 1.2 {} linecolor rgb \"{}\" {}",
                                  data, is_marked ? "linespoints" : "lines", is_marked ? mark : "",
                                  colour, title);
    }

    std::vector<std::string> series_;
    ModelNumbers models_;
    bool is_measured_ = false;
};

// Rows of x, y and both ends of the interval. An undrawable point becomes a blank line, which
// breaks the curve. On a logarithmic axis, an interval that reaches zero ends at `axis_least`.
std::string rows_of(const LineChart& chart, const Curve& curve, double axis_least) {
    std::string rows;
    bool any = false;
    for (const CurvePoint& point : curve.points) {
        const bool drawn = is_drawn(chart, point);
        const double end = chart.axis.lower_end(point.y, point.half_width);
        rows += drawn ? fmt::format("{} {} {} {}\n", point.x, point.y,
                                    chart.y_is_logarithmic ? std::max(end, axis_least) : end,
                                    point.y + point.half_width.value_or(0.0))
                      : "\n";
        any = any || drawn;
    }
    return any ? rows : "";
}

// Range of the horizontal axis, wider than the points, so that none lies on the frame.
std::string x_range(const LineChart& chart, const ValueRange& x) {
    constexpr double kShare = 0.04;
    if (x.least == x.most) {
        return chart.x_is_logarithmic ? "set logscale x\n" : "";
    }
    if (chart.x_is_logarithmic) {
        const double factor = std::pow(x.most / x.least, kShare);
        return fmt::format("set logscale x\nset xrange [{}:{}]\n", x.least / factor,
                           x.most * factor);
    }
    const double margin = kShare * (x.most - x.least);
    return fmt::format("set xrange [{}:{}]\n", x.least - margin, x.most + margin);
}

// Range of the vertical axis: from zero, unless the curves would then share a narrow strip.
std::string y_range(const LineChart& chart, const ValueRange& y) {
    constexpr double kBeyond = 0.06;  // share of the range that keeps points off the frame
    if (chart.y_is_logarithmic) {
        const double factor = std::pow(y.most / y.least, kBeyond);
        return axis_label("y", chart.y_label + kLogarithmicNote) + "set logscale y\n" +
               (chart.axis.shared_range && factor > 1.0
                    ? fmt::format("set yrange [{}:{}]\n", y.least / factor, y.most * factor)
                    : "set yrange [*:*]\n");
    }
    const bool from_zero = starts_at_zero(y.least, y.most);
    constexpr int kAxisPixels = 330;
    const std::string label =
        value_label(chart.y_label, from_zero || (y.least <= 0.0 && y.most >= 0.0), kAxisPixels);
    if (chart.axis.shared_range && y.most > y.least) {
        const double margin = kBeyond * (y.most - y.least);
        return label + fmt::format("set yrange [{}:{}]\n", from_zero ? 0.0 : y.least - margin,
                                   y.most + margin);
    }
    if (from_zero) {
        return label + (y.most > 0.0 ? "set yrange [0:*]\n" : "set yrange [0:1]\n");
    }
    // For a range without width, gnuplot would warn and choose a range.
    return label + (y.least == y.most
                        ? fmt::format("set yrange [{}:{}]\n", y.least - 1.0, y.most + 1.0)
                        : "set yrange [*:*]\n");
}

ValueRange x_extent(const LineChart& chart) {
    ValueRange x;
    for (const Curve& curve : chart.curves) {
        for (const CurvePoint& point : curve.points) {
            if (is_drawn(chart, point)) {
                x.add(point.x);
            }
        }
    }
    return x;
}

// Ticks at the measured values; gnuplot's own ticks for many values.
std::string x_ticks(const LineChart& chart) {
    constexpr std::size_t kMostTicks = 16;
    constexpr int kAxisPixels = 660;
    std::set<double> values;
    for (const Curve& curve : chart.curves) {
        for (const CurvePoint& point : curve.points) {
            if (is_drawn(chart, point) && !curve.is_steps) {
                values.insert(point.x);
            }
        }
    }
    if (values.empty() || values.size() > kMostTicks) {
        return "set xtics autofreq\n";
    }
    std::vector<MeasuredTick> ticks;
    ticks.reserve(values.size());
    for (const double value : values) {
        ticks.push_back({value, fmt::format("{:.6g}", value)});
    }
    return measured_ticks(ticks, chart.x_is_logarithmic, kAxisPixels);
}

// True if the two curves, as drawn, are nowhere more than a pixel apart.
bool look_equal(const LineChart& chart, const ValueRange& y, const Curve& a, const Curve& b) {
    constexpr double kAxisPixels = 340.0;
    const auto place = [&chart](double value) {
        return chart.y_is_logarithmic ? std::log(value) : value;
    };
    const double least = chart.y_is_logarithmic || !starts_at_zero(y.least, y.most) ? y.least : 0.0;
    const double pixel = (place(y.most) - place(least)) / kAxisPixels;
    if (a.kind != b.kind || a.is_steps != b.is_steps || a.points.size() != b.points.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.points.size(); ++i) {
        const CurvePoint& p = a.points[i];
        const CurvePoint& q = b.points[i];
        const bool are_drawn = is_drawn(chart, p) && is_drawn(chart, q);
        const double apart = std::max(
            std::abs(p.half_width.value_or(0.0) - q.half_width.value_or(0.0)), std::abs(p.y - q.y));
        if (p.x != q.x || is_drawn(chart, p) != is_drawn(chart, q) ||
            (are_drawn && !chart.y_is_logarithmic && apart > pixel) ||
            (are_drawn && chart.y_is_logarithmic && std::abs(place(p.y) - place(q.y)) > pixel)) {
            return false;
        }
    }
    return true;
}

/// Curve that is drawn, and curves that look the same.
struct DrawnCurve {
    std::size_t number = 0;  ///< index in the chart
    std::vector<const Curve*> equal;
};

// Curves to draw; of curves that look the same, only the first.
std::vector<DrawnCurve> drawn_curves(const LineChart& chart, const ValueRange& y) {
    std::vector<DrawnCurve> drawn;
    for (std::size_t i = 0; i < chart.curves.size(); ++i) {
        const auto same = std::find_if(drawn.begin(), drawn.end(), [&](const DrawnCurve& each) {
            return look_equal(chart, y, chart.curves[each.number], chart.curves[i]);
        });
        if (same == drawn.end()) {
            drawn.push_back({i, {}});
        } else {
            same->equal.push_back(&chart.curves[i]);
        }
    }
    return drawn;
}

// Adds hints with the points' numbers for a curve whose points are far enough apart.
void add_hints(PlotHints& hints, const LineChart& chart, const Curve& curve,
               const std::string& name, std::size_t number) {
    if (curve.points.size() > kMostMarkedPoints) {
        return;
    }
    for (const CurvePoint& point : curve.points) {
        if (is_drawn(chart, point)) {
            hints.points.push_back(
                {point.x, point.y, number,
                 fmt::format("{}: {} at {:.6g}", name,
                             records::interval_cell(point.y, point.half_width).text, point.x)});
        }
    }
}

// Extends a staircase beyond its last point to the right edge: a higher cost brings no better
// value.
std::string last_steps(const LineChart& chart) {
    std::string arrows;
    for (const Curve& curve : chart.curves) {
        if (curve.kind == CurveKind::kFront && is_drawn(chart, curve.points.back())) {
            const CurvePoint& last = curve.points.back();
            arrows += fmt::format(
                "set arrow from first {0},{1} to graph 1, first {1} nohead linewidth 1.6 linecolor "
                "rgb \"{2}\"\n",
                last.x, last.y, kMeasuredColour);
        }
    }
    return arrows;
}

records::DataTable data_of(const LineChart& chart) {
    const bool has_series = std::any_of(chart.curves.begin(), chart.curves.end(),
                                        [](const Curve& curve) { return !curve.series.empty(); });
    records::DataTable data;
    data.columns = {"who", chart.x_name, chart.y_name, "confidence_half_width_95"};
    if (has_series) {
        data.columns.insert(data.columns.begin() + 1, "series");
    }
    for (const Curve& curve : chart.curves) {
        for (const CurvePoint& point : curve.points) {
            std::vector<records::DataTable::Cell> row{
                curve.who, point.x, point.y,
                point.half_width ? records::DataTable::Cell(*point.half_width)
                                 : records::DataTable::Cell()};
            if (has_series) {
                row.insert(row.begin() + 1, curve.series);
            }
            data.rows.push_back(std::move(row));
        }
    }
    return data;
}

}  // namespace

Drawing line_drawing(const LineChart& chart) {
    Drawing drawing;
    drawing.data = data_of(chart);
    LineStyles styles(chart.curves);
    std::string blocks;
    std::string plots;
    std::size_t longest_name = 0;
    std::size_t elements = 0;  // number of gnuplot elements so far
    PlotHints hints{chart.x_is_logarithmic, chart.y_is_logarithmic, {}};
    const ValueRange y = chart.axis.shared_range.value_or(value_range(chart));
    const std::vector<DrawnCurve> curves = drawn_curves(chart, y);
    // curves first, so that points are drawn over them
    for (const CurveKind kind : {CurveKind::kOthers, CurveKind::kModel, CurveKind::kEqual,
                                 CurveKind::kFront, CurveKind::kMeasured, CurveKind::kPublished}) {
        for (const DrawnCurve& drawn : curves) {
            const Curve& curve = chart.curves[drawn.number];
            const std::string rows = curve.kind == kind ? rows_of(chart, curve, y.least) : "";
            if (!rows.empty()) {
                const std::string name = fmt::format("$curve_{}", drawn.number + 1);
                blocks += data_block(name, rows);
                plots += plots.empty() ? "" : ", \\\n     ";
                plots += styles.plot(curve, drawn.equal, name);
                elements += LineStyles::elements(curve);
                add_hints(hints, chart, curve, styles.name_with(curve, drawn.equal), elements);
                longest_name = std::max(longest_name, styles.name_with(curve, drawn.equal).size());
            }
        }
    }
    constexpr std::size_t kLongNames = 50;  // characters; longer names are below each other
    drawing.script =
        blocks + chart_settings() +
        axis_label("x", chart.x_label + (chart.x_is_logarithmic ? kLogarithmicNote : "")) +
        x_range(chart, x_extent(chart)) + x_ticks(chart) + y_range(chart, y) +
        (longest_name > kLongNames ? "set key vertical maxrows 30\n" : "") + last_steps(chart) +
        "plot " + plots + "\n" + print_axes();
    drawing.hints.push_back(std::move(hints));
    return drawing;
}

}  // namespace weir::experiments::pages
