#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/pages/figures/chart_style.h"
#include "experiments/pages/figures/drawing.h"
#include "experiments/pages/figures/gnuplot.h"

namespace weir::experiments::pages {

namespace {

using records::CurveKind;
using records::Dot;
using records::DotChart;
using records::DotSeries;

constexpr int kRowPixels = 24;
constexpr int kAroundRowsPixels = 120;
constexpr std::size_t kLongestLabel = 44;
// gnuplot pointtypes of models: open circle, square, triangles, pentagon, plus and cross.
constexpr std::array kModelMarks{6, 4, 8, 10, 14, 1, 2};
constexpr int kFilledCircle = 7;

// Label of the axis; long texts take two lines.
std::string label_text(const std::string& label) {
    if (label.size() <= kLongestLabel) {
        return gnuplot_plain(label);
    }
    const std::size_t half = label.find(' ', label.size() / 2);
    return half == std::string::npos ? gnuplot_plain(label)
                                     : gnuplot_plain(label.substr(0, half)) + "\\n" +
                                           gnuplot_plain(label.substr(half + 1));
}

std::string category_tics(const char* axis, const std::vector<std::string>& categories) {
    std::string tics;
    for (std::size_t i = 0; i < categories.size(); ++i) {
        tics += fmt::format("{}\"{}\" {}", i == 0 ? "" : ", ",
                            gnuplot_tic(label_text(categories[i])), i + 1);
    }
    return fmt::format("set {}tics ({}) scale 0\n", axis, tics);
}

records::DataTable data_of(const DotChart& chart) {
    records::DataTable data;
    data.columns = {chart.category_name, "who", chart.value_name, "confidence_half_width_95"};
    for (std::size_t category = 0; category < chart.categories.size(); ++category) {
        for (const DotSeries& series : chart.series) {
            for (const Dot& dot : series.dots) {
                if (dot.category == category) {
                    data.rows.push_back({chart.categories[category], series.name, dot.value,
                                         dot.half_width ? records::DataTable::Cell(*dot.half_width)
                                                        : records::DataTable::Cell()});
                }
            }
        }
    }
    return data;
}

ModelNumbers models_of(const DotChart& chart) {
    ModelNumbers models;
    for (const DotSeries& series : chart.series) {
        if (series.kind == CurveKind::kModel) {
            models.add(series.name);
        }
    }
    return models;
}

std::string marks_of(const DotSeries& series, const ModelNumbers& models) {
    switch (series.kind) {
        case CurveKind::kMeasured:
            return fmt::format("pointtype {} pointsize 0.9 linewidth 1.5 linecolor rgb \"{}\"",
                               kFilledCircle, kMeasuredColour);
        case CurveKind::kPublished:
            return fmt::format("pointtype {} pointsize 1.3 linewidth 1.8 linecolor rgb \"{}\"",
                               kOpenDiamond, kPublishedColour);
        default: {
            const std::size_t model = models.number_of(series.name);
            return fmt::format("pointtype {} pointsize 0.9 linewidth 1.5 linecolor rgb \"{}\"",
                               kModelMarks[model % kModelMarks.size()], series_colour(model));
        }
    }
}

// Colour of a series of bars. Models and published values have the same colours as in all charts.
// Several measured series have the palette's colours; a single one is black.
std::string_view bar_colour(const DotChart& chart, std::size_t number, const ModelNumbers& models) {
    const DotSeries& series = chart.series[number];
    if (series.kind == CurveKind::kModel) {
        return series_colour(models.number_of(series.name));
    }
    if (series.kind == CurveKind::kPublished) {
        return kPublishedColour;
    }
    const auto measured =
        std::count_if(chart.series.begin(), chart.series.end(),
                      [](const DotSeries& each) { return each.kind == CurveKind::kMeasured; });
    return measured == 1 ? kMeasuredColour : series_colour(number);
}

std::string label_of_values(const DotChart& chart) {
    return chart.value_label + (chart.value_is_logarithmic ? kLogarithmicNote : "");
}

// gnuplot commands that draw the dots. Marks at the same position are moved apart.
std::string dot_plots(const DotChart& chart, std::string& blocks) {
    std::string plots;
    const ModelNumbers models = models_of(chart);
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
        const DotSeries& series = chart.series[s];
        std::string rows;
        for (const Dot& dot : series.dots) {
            if (std::isfinite(dot.value) && (!chart.value_is_logarithmic || dot.value > 0.0)) {
                rows += fmt::format("{} {} {} {}\n", dot.value, dot.category + 1,
                                    chart.axis.lower_end(dot.value, dot.half_width),
                                    dot.value + dot.half_width.value_or(0.0));
            }
        }
        if (rows.empty()) {
            continue;
        }
        const std::string name = fmt::format("$dots_{}", s + 1);
        blocks += data_block(name, rows);
        const std::string marks = marks_of(series, models);
        plots += plots.empty() ? "" : ", \\\n     ";
        plots += fmt::format(
            "{} using 1:2{} {} title \"{}\"", name,
            series.kind == CurveKind::kMeasured ? ":3:4 with xerrorbars" : " with points", marks,
            gnuplot_plain(series.name));
    }
    return plots;
}

Drawing row_drawing(const DotChart& chart) {
    Drawing drawing;
    drawing.data = data_of(chart);
    drawing.height_pixels = (chart.rows_name_series ? kAroundRowsPixels / 2 : kAroundRowsPixels) +
                            kRowPixels * static_cast<int>(chart.categories.size());
    std::string blocks;
    const std::string plots = dot_plots(chart, blocks);
    bool is_from_zero = !chart.value_is_logarithmic;
    for (const DotSeries& series : chart.series) {
        for (const Dot& dot : series.dots) {
            is_from_zero = is_from_zero && dot.value >= 0.0;
        }
    }
    drawing.script = blocks + chart_settings() + axis_label("x", label_of_values(chart)) +
                     (chart.rows_name_series ? "unset key\n" : "") +
                     category_tics("y", chart.categories) +
                     fmt::format("set yrange [{}.6:0.4]\n", chart.categories.size()) +
                     (chart.value_is_logarithmic ? "set logscale x\n" : "") +
                     (is_from_zero ? "set xrange [0:*]\n" : "") +
                     "set offsets graph 0, graph 0.04, 0, 0\nplot " + plots + "\n";
    return drawing;
}

// Range of a bar chart's axis, which includes zero. Charts with a shared axis end at the same
// value.
std::string bar_range(const DotChart& chart) {
    const std::optional<records::ValueRange>& shared = chart.axis.shared_range;
    constexpr double kBeyond = 0.06;
    if (chart.value_is_logarithmic) {
        return "set logscale y\n" + (shared ? fmt::format("set yrange [{}:{}]\n",
                                                          shared->least / 2.0, shared->most * 2.0)
                                            : "");
    }
    const std::string range =
        shared && shared->most != shared->least
            ? fmt::format("set yrange [{}:{}]\n", std::min(0.0, (1.0 + kBeyond) * shared->least),
                          std::max(0.0, (1.0 + kBeyond) * shared->most))
            : "set yrange [*<0:0<*]\n";
    return range + "set xzeroaxis linetype 1 linecolor rgb '#444444'\n";
}

Drawing bar_drawing(const DotChart& chart) {
    Drawing drawing;
    drawing.data = data_of(chart);
    constexpr int kBarPixels = 16;
    constexpr int kWidest = 1400;
    const auto bars = static_cast<int>(chart.categories.size() * (chart.series.size() + 1));
    drawing.width_pixels = std::clamp(160 + kBarPixels * bars, drawing.width_pixels, kWidest);
    std::string blocks;
    std::string plots;
    const ModelNumbers models = models_of(chart);
    const double width = 0.8 / static_cast<double>(chart.series.size());
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
        std::string rows;
        for (const Dot& dot : chart.series[s].dots) {
            const double centre = static_cast<double>(dot.category + 1) - 0.4 +
                                  width * (static_cast<double>(s) + 0.5);
            rows += fmt::format("{} {} {} {}\n", centre, dot.value,
                                chart.axis.lower_end(dot.value, dot.half_width),
                                dot.value + dot.half_width.value_or(0.0));
        }
        if (rows.empty()) {
            continue;
        }
        const std::string name = fmt::format("$bars_{}", s + 1);
        blocks += data_block(name, rows);
        plots += plots.empty() ? "" : ", \\\n     ";
        plots += fmt::format(
            "{0} using 1:2:3:4:({1}) with boxerrorbars fillstyle solid 0.85 noborder linecolor rgb "
            "\"{2}\" title \"{3}\"",
            name, 0.92 * width, bar_colour(chart, s, models), gnuplot_plain(chart.series[s].name));
    }
    std::size_t longest = 0;
    for (const std::string& category : chart.categories) {
        longest = std::max(longest, category.size());
    }
    const bool is_crowded = longest * chart.categories.size() > 90;
    drawing.height_pixels += is_crowded ? 60 : 0;
    drawing.script = blocks + chart_settings() + axis_label("y", label_of_values(chart)) +
                     category_tics("x", chart.categories) +
                     (is_crowded ? "set xtics rotate by 35 right\n" : "") +
                     "set errorbars linecolor rgb \"#222222\" linewidth 1.2\n" +
                     fmt::format("set xrange [0.4:{}.6]\n", chart.categories.size()) +
                     bar_range(chart) + "set offsets 0, 0, graph 0.05, 0\nplot " + plots + "\n";
    return drawing;
}

}  // namespace

Drawing dot_drawing(const DotChart& chart) {
    return chart.as_bars ? bar_drawing(chart) : row_drawing(chart);
}

}  // namespace weir::experiments::pages
