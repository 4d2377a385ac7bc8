#include "experiments/report/tornado_chart.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/report/chart_style.h"
#include "experiments/report/gnuplot.h"

namespace weir::experiments::report {

namespace {

constexpr int kFactorPixels = 46;
constexpr int kAroundFactorsPixels = 110;
constexpr const char* kLess = "#0072B2";
constexpr const char* kMore = "#D55E00";

std::string signed_percent(double value) { return fmt::format("{:+.1f} %", value); }

const TornadoValue& least_of(const TornadoFactor& factor) {
    return *std::min_element(
        factor.values.begin(), factor.values.end(),
        [](const auto& a, const auto& b) { return a.change_percent < b.change_percent; });
}

const TornadoValue& greatest_of(const TornadoFactor& factor) {
    return *std::max_element(
        factor.values.begin(), factor.values.end(),
        [](const auto& a, const auto& b) { return a.change_percent < b.change_percent; });
}

DataTable data_of(const TornadoChart& chart) {
    DataTable data;
    data.columns = {"factor", "value", "change_percent", "change_half_width_95_percent",
                    "swing_percent"};
    for (const TornadoFactor& factor : chart.factors) {
        for (const TornadoValue& value : factor.values) {
            data.rows.push_back({factor.name, value.value, value.change_percent,
                                 value.half_width_percent
                                     ? DataTable::Cell(*value.half_width_percent)
                                     : DataTable::Cell(),
                                 factor.swing_percent()});
        }
    }
    return data;
}

// An end of a bar: how far it goes, and by which value.
std::string end_label(const TornadoValue& value, std::size_t row, bool is_left) {
    return fmt::format("set label \"{}  {{/*0.85 {}}}\" at {}, {} {} offset {}, 0 font \",10\"\n",
                       signed_percent(value.change_percent), gnuplot_plain(value.value),
                       value.change_percent, row + 1, is_left ? "right" : "left",
                       is_left ? -1.2 : 1.2);
}

}  // namespace

double TornadoFactor::swing_percent() const {
    double least = 0.0;
    double greatest = 0.0;
    for (const TornadoValue& value : values) {
        least = std::min(least, value.change_percent);
        greatest = std::max(greatest, value.change_percent);
    }
    return greatest - least;
}

Figure tornado_figure(TornadoChart chart) {
    std::erase_if(chart.factors, [](const TornadoFactor& factor) { return factor.values.empty(); });
    std::stable_sort(chart.factors.begin(), chart.factors.end(), [](const auto& a, const auto& b) {
        return a.swing_percent() > b.swing_percent();
    });
    Figure figure;
    figure.title = chart.title;
    figure.caption = chart.caption;
    figure.data = data_of(chart);
    figure.width_pixels = 900;
    figure.height_pixels =
        kAroundFactorsPixels + kFactorPixels * static_cast<int>(chart.factors.size());
    std::string less;
    std::string more;
    std::string marks;
    std::string labels;
    std::string tics;
    double left = 0.0;
    double right = 0.0;
    for (std::size_t row = 0; row < chart.factors.size(); ++row) {
        const TornadoFactor& factor = chart.factors[row];
        tics +=
            fmt::format("{}\"{}\" {}", row == 0 ? "" : ", ", gnuplot_plain(factor.name), row + 1);
        const TornadoValue& least = least_of(factor);
        const TornadoValue& greatest = greatest_of(factor);
        const auto bar = [&](double end) {
            return fmt::format("{} {} {} {} {} {}\n", end / 2.0, row + 1, std::min(0.0, end),
                               std::max(0.0, end), static_cast<double>(row) + 0.7,
                               static_cast<double>(row) + 1.3);
        };
        if (least.change_percent < 0.0) {
            less += bar(least.change_percent);
            labels += end_label(least, row, true);
        }
        if (greatest.change_percent > 0.0 || least.change_percent >= 0.0) {
            more += bar(greatest.change_percent);
            labels += end_label(greatest, row, false);
        }
        for (const TornadoValue& value : factor.values) {
            marks += fmt::format("{} {} {}\n", value.change_percent, row + 1,
                                 value.half_width_percent.value_or(0.0));
            left = std::min(left, value.change_percent);
            right = std::max(right, value.change_percent);
        }
    }
    // Room for the words at the bars' ends.
    const double span = std::max(right - left, 1e-9);
    constexpr double kWords = 0.55;
    figure.script = data_block("$less", less) + data_block("$more", more) +
                    data_block("$marks", marks) + chart_settings() + "unset key\n" +
                    "set grid x back linetype 1 linewidth 0.5 linecolor rgb \"#E2E2E2\"\n" +
                    axis_label("x", chart.value_label) +
                    fmt::format("set ytics ({}) scale 0\n", tics) + labels +
                    fmt::format("set yrange [{}.6:0.4]\nset xrange [{}:{}]\n", chart.factors.size(),
                                left - (left < 0.0 ? kWords : 0.05) * span,
                                right + (right > 0.0 ? kWords : 0.3) * span) +
                    "set arrow from 0, graph 0 to 0, graph 1 nohead front linecolor rgb "
                    "\"#333333\"\n";
    std::string plots;
    const auto add = [&plots](const std::string& plot) {
        plots += (plots.empty() ? "" : ", \\\n     ") + plot;
    };
    for (const auto& [rows, name, colour] :
         {std::tuple(&less, "$less", kLess), std::tuple(&more, "$more", kMore)}) {
        if (!rows->empty()) {
            add(
                fmt::format("{} using 1:2:3:4:5:6 with boxxyerror fillstyle solid 0.75 noborder "
                            "linecolor rgb \"{}\"",
                            name, colour));
        }
    }
    add(
        fmt::format("$marks using 1:2:3 with xerrorbars pointtype 7 pointsize 0.45 linecolor rgb "
                    "\"#111111\""));
    figure.script += "plot " + plots + "\n";
    return figure;
}

}  // namespace weir::experiments::report
