#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/pages/figures/chart_style.h"
#include "experiments/pages/figures/drawing.h"
#include "experiments/pages/figures/gnuplot.h"
#include "experiments/records/document.h"
#include "experiments/setup/text/wrapped_text.h"

namespace weir::experiments::pages {

namespace {

using records::CurvePoint;
using records::Panel;
using records::PanelChart;

constexpr std::size_t kMostColumns = 4;
constexpr int kWidthPixels = 900;
constexpr int kLeftPixels = 96;  // margin for ticks of seven letters and the axis's label
constexpr int kRightPixels = 16;
constexpr int kBetweenPixels = 22;
constexpr int kPanelLetterPixels = 7;
constexpr int kPlotPixels = 190;   // height of the plot's area
constexpr int kTitlePixels = 26;   // height of the title above a plot
constexpr int kLabelPixels = 66;   // height of ticks and label below a plot
constexpr int kTurnedPixels = 60;  // additional height for rotated words

// Text of the tick at a position; empty for a position without one.
std::string place_text(const Panel& panel, double at) {
    const auto place = std::find_if(panel.places.begin(), panel.places.end(),
                                    [at](const Panel::Place& each) { return each.at == at; });
    return place == panel.places.end() ? "" : place->text;
}

records::DataTable data_of(const PanelChart& chart) {
    records::DataTable data;
    data.columns = {"panel", "who", "place", chart.value_name, "confidence_half_width_95"};
    for (const Panel& panel : chart.panels) {
        const auto add = [&](const std::string& who, const std::vector<CurvePoint>& points) {
            for (const CurvePoint& point : points) {
                data.rows.push_back({panel.title, who, place_text(panel, point.x), point.y,
                                     point.half_width ? records::DataTable::Cell(*point.half_width)
                                                      : records::DataTable::Cell()});
            }
        };
        add(chart.points_name, panel.points);
        add(chart.reference_name, panel.reference);
    }
    return data;
}

// Rows of x, y and both ends of the interval.
std::string rows_of(const records::ValueAxis& axis, const std::vector<CurvePoint>& points) {
    std::string rows;
    for (const CurvePoint& point : points) {
        rows += fmt::format("{} {} {} {}\n", point.x, point.y,
                            axis.lower_end(point.y, point.half_width),
                            point.y + point.half_width.value_or(0.0));
    }
    return rows;
}

// True if ticks are words that don't fit side by side.
bool are_turned(const Panel& panel, int plot_width) {
    std::size_t letters = 0;
    std::size_t longest = 0;
    bool are_words = false;
    for (const Panel::Place& place : panel.places) {
        letters += setup::width_of(place.text) + 2;
        longest = std::max(longest, setup::width_of(place.text));
        are_words =
            are_words || place.text.find_first_not_of("0123456789.,-+e ") != std::string::npos;
    }
    const auto widest = static_cast<int>(std::max(letters, longest * panel.places.size()) *
                                         std::size_t{kPanelLetterPixels});
    return are_words && widest > plot_width;
}

std::string ticks_of(const Panel& panel, int plot_width) {
    std::vector<MeasuredTick> ticks;
    for (const Panel::Place& place : panel.places) {
        ticks.push_back({place.at, place.text});
    }
    if (!are_turned(panel, plot_width)) {
        return measured_ticks(ticks, panel.x_is_logarithmic, plot_width);
    }
    std::string text;
    for (const MeasuredTick& tick : ticks) {
        text += fmt::format("{}\"{}\" {}", text.empty() ? "" : ", ",
                            gnuplot_tic(gnuplot_plain(tick.text)), tick.at);
    }
    return fmt::format("set xtics ({}) rotate by 35 right\n", text);
}

// Share of the plot's width left and right of the points, enough for half of the outermost ticks'
// texts.
double share_beyond(const Panel& panel, int plot_width) {
    constexpr double kLeast = 0.06;
    const std::size_t longest = std::max(setup::width_of(panel.places.front().text),
                                         setup::width_of(panel.places.back().text));
    const double half = 0.5 * static_cast<double>(longest) * kPanelLetterPixels;
    const double within = half / plot_width;
    return are_turned(panel, plot_width) ? kLeast : std::max(kLeast, within / (1.0 - 2.0 * within));
}

std::string x_range(const Panel& panel, int plot_width) {
    const double share = share_beyond(panel, plot_width);
    const double first = panel.places.front().at;
    const double last = panel.places.back().at;
    if (panel.x_is_logarithmic) {
        const double factor = std::pow(last / first, share);
        return fmt::format("set logscale x\nset xrange [{}:{}]\n", first / factor, last * factor);
    }
    const double margin = std::max(share * (last - first), 1e-9);
    return fmt::format("unset logscale x\nset xrange [{}:{}]\n", first - margin, last + margin);
}

std::string plots_of(const PanelChart& chart, std::size_t number) {
    const Panel& panel = chart.panels[number];
    const std::string points = fmt::format("$points_{}", number + 1);
    const std::string reference = fmt::format("$reference_{}", number + 1);
    const bool has_band = std::any_of(panel.points.begin(), panel.points.end(),
                                      [](const CurvePoint& point) { return point.half_width; });
    const std::string name = gnuplot_plain(chart.points_name);
    const std::string reference_plot =
        panel.reference.empty()
            ? ""
            : fmt::format(
                  "{} using 1:2 with {} linewidth 1.4 linecolor rgb \"{}\" title \"{}\", "
                  "\\\n     ",
                  reference,
                  panel.has_categories ? "points pointtype 2 pointsize 0.8" : "lines dashtype 2",
                  kOthersColour, gnuplot_plain(chart.reference_name));
    if (panel.has_categories) {
        return reference_plot +
               fmt::format(
                   "{} using 1:2:3:4 with yerrorbars pointtype 7 pointsize 0.6 linewidth 1.6 "
                   "linecolor rgb \"{}\" title \"{}\"",
                   points, kMeasuredColour, name);
    }
    const std::string band =
        has_band ? fmt::format(
                       "{} using 1:3:4 with filledcurves fillstyle transparent solid 0.2 noborder "
                       "linecolor rgb \"{}\" title \"{}, 95 % interval\", \\\n     ",
                       points, kMeasuredColour, name)
                 : "";
    return band + reference_plot +
           fmt::format(
               "{} using 1:2 with linespoints pointtype 7 pointsize 0.6 linewidth 1.6 linecolor "
               "rgb \"{}\" title \"{}\"",
               points, kMeasuredColour, name);
}

PlotHints hints_of(const Panel& panel) {
    PlotHints hints{panel.x_is_logarithmic, false, {}};
    for (const CurvePoint& point : panel.points) {
        const std::string value = records::interval_cell(point.y, point.half_width).text;
        hints.points.push_back({point.x, point.y, 0, value + " at " + place_text(panel, point.x)});
    }
    return hints;
}

}  // namespace

Drawing panel_drawing(const PanelChart& chart) {
    Drawing drawing;
    drawing.data = data_of(chart);
    drawing.width_pixels = kWidthPixels;
    const records::ValueRange range = chart.axis.shared_range.value_or(value_range(chart));
    const std::size_t columns = std::min(chart.panels.size(), kMostColumns);
    const std::size_t rows = (chart.panels.size() + columns - 1) / columns;
    const int plot_width = (kWidthPixels - kLeftPixels - kRightPixels -
                            kBetweenPixels * static_cast<int>(columns - 1)) /
                           static_cast<int>(columns);
    const bool is_turned =
        std::any_of(chart.panels.begin(), chart.panels.end(),
                    [plot_width](const Panel& panel) { return are_turned(panel, plot_width); });
    const int row_height =
        kTitlePixels + kPlotPixels + kLabelPixels + (is_turned ? kTurnedPixels : 0);
    drawing.height_pixels = row_height * static_cast<int>(rows);
    const bool is_from_zero = starts_at_zero(range.least, range.most);
    const double margin = range.most > range.least ? 0.06 * (range.most - range.least) : 1.0;
    std::string blocks;
    std::string panels;
    for (std::size_t i = 0; i < chart.panels.size(); ++i) {
        const Panel& panel = chart.panels[i];
        blocks += data_block(fmt::format("$points_{}", i + 1), rows_of(chart.axis, panel.points));
        blocks +=
            data_block(fmt::format("$reference_{}", i + 1), rows_of(chart.axis, panel.reference));
        const auto column = static_cast<int>(i % columns);
        const auto row = static_cast<int>(i / columns);
        const double left = kLeftPixels + column * (plot_width + kBetweenPixels);
        const double top = row * row_height + kTitlePixels;
        const auto across = [](double pixels) { return pixels / kWidthPixels; };
        const auto up = [&](double pixels) { return 1.0 - pixels / drawing.height_pixels; };
        panels += fmt::format(
            "set lmargin at screen {}\nset rmargin at screen {}\nset tmargin at screen {}\n"
            "set bmargin at screen {}\nset title \"{}\" offset 0, -0.6\n",
            across(left), across(left + plot_width), up(top), up(top + kPlotPixels),
            gnuplot_plain(panel.title));
        panels +=
            axis_label("x", panel.x_label + (panel.x_is_logarithmic ? kLogarithmicNote : "")) +
            ticks_of(panel, plot_width) + x_range(panel, plot_width);
        panels += column == 0 ? "set format y \"%.7g\"\n" +
                                    value_label(chart.value_label, is_from_zero, kPlotPixels)
                              : "set format y \"\"\nunset ylabel\n";
        panels += "plot " + plots_of(chart, i) + "\n" + print_axes();
        drawing.hints.push_back(hints_of(panel));
    }
    drawing.script = blocks + chart_settings() + "unset key\nset grid y\n" +
                     fmt::format("set yrange [{}:{}]\n", is_from_zero ? 0.0 : range.least - margin,
                                 range.most + margin) +
                     "set multiplot\n" + panels + "unset multiplot\n";
    return drawing;
}

}  // namespace weir::experiments::pages
