#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "experiments/pages/figures/chart_style.h"
#include "experiments/pages/figures/drawing.h"
#include "experiments/pages/figures/gnuplot.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/setup/text/wrapped_text.h"
#include "hw/text_streams.h"

namespace weir::experiments::pages {

namespace {

using records::TornadoChart;
using records::TornadoFactor;
using records::TornadoValue;

constexpr int kFactorPixels = 50;
constexpr int kAroundFactorsPixels = 100;
constexpr int kTornadoPixels = 900;
constexpr int kNamePixels = 250;
constexpr std::size_t kNameLetters = 32;
constexpr std::size_t kLabelLetters = 22;
constexpr const char* kLess = "#0072B2";
constexpr const char* kMore = "#D55E00";

std::string signed_percent(double value) { return setup::signed_number(value) + " %"; }

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

records::DataTable data_of(const TornadoChart& chart) {
    records::DataTable data;
    data.columns = {"factor", "value", "change_percent", "change_half_width_95_percent",
                    "swing_percent"};
    for (const TornadoFactor& factor : chart.factors) {
        for (const TornadoValue& value : factor.values) {
            data.rows.push_back({factor.name, value.value, value.change_percent,
                                 value.half_width_percent
                                     ? records::DataTable::Cell(*value.half_width_percent)
                                     : records::DataTable::Cell(),
                                 factor.swing_percent()});
        }
    }
    return data;
}

// Text in lines of at most `letters`, broken at blanks.
std::vector<std::string> lines_of(const std::string& text, std::size_t letters) {
    hw::TextReader lines(setup::wrapped(text, "", "", letters));
    std::vector<std::string> found;
    for (std::string line; std::getline(lines, line);) {
        found.push_back(line);
    }
    return found;
}

std::size_t widest_of(const std::vector<std::string>& lines) {
    std::size_t widest = 0;
    for (const std::string& line : lines) {
        widest = std::max(widest, setup::width_of(line));
    }
    return widest;
}

// The lines as one gnuplot text.
std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
        text += (text.empty() ? "" : "\\n") + gnuplot_plain(line);
    }
    return text;
}

/// Label at an end of a bar: the change, and the value that makes it.
struct EndLabel {
    std::vector<std::string> lines;
    double at = 0.0;  ///< position beyond the interval
    std::size_t row = 0;
    bool is_left = false;

    EndLabel(const TornadoValue& value, std::size_t factor, bool left)
        : lines(lines_of(value.value, kLabelLetters)),
          at(value.change_percent + (left ? -1.0 : 1.0) * value.half_width_percent.value_or(0.0)),
          row(factor),
          is_left(left) {
        lines.insert(lines.begin(), signed_percent(value.change_percent));
    }

    [[nodiscard]] std::string script() const {
        const std::vector<std::string> below(lines.begin() + 1, lines.end());
        return fmt::format(
            "set label \"{}\\n{{/*0.95 {}}}\" at {}, {} {} offset {}, {} font \",11\"\n",
            lines.front(), joined(below), at, row + 1, is_left ? "right" : "left",
            is_left ? -0.8 : 0.8, 0.5 * static_cast<double>(below.size()));
    }
};

/// Least and greatest per cent of the axis, with margins for the labels at both sides.
std::pair<double, double> range_with_words(const std::vector<EndLabel>& labels, double left,
                                           double right, double plot_pixels) {
    constexpr double kLetterPixels = 7.0;
    std::size_t left_letters = 1;
    std::size_t right_letters = 1;
    for (const EndLabel& label : labels) {
        std::size_t& letters = label.is_left ? left_letters : right_letters;
        letters = std::max(letters, widest_of(label.lines) + 2);
        left = std::min(left, label.at);
        right = std::max(right, label.at);
    }
    const double before = kLetterPixels * static_cast<double>(left_letters);
    const double behind = kLetterPixels * static_cast<double>(right_letters);
    const double span = std::max(right - left, 1e-9);
    const double percent_per_pixel = span / (plot_pixels - before - behind);
    return {left - before * percent_per_pixel, right + behind * percent_per_pixel};
}

}  // namespace

Drawing tornado_drawing(TornadoChart chart) {
    std::erase_if(chart.factors, [](const TornadoFactor& factor) { return factor.values.empty(); });
    std::stable_sort(chart.factors.begin(), chart.factors.end(), [](const auto& a, const auto& b) {
        return a.swing_percent() > b.swing_percent();
    });
    Drawing drawing;
    drawing.data = data_of(chart);
    drawing.width_pixels = kTornadoPixels;
    drawing.height_pixels =
        kAroundFactorsPixels + kFactorPixels * static_cast<int>(chart.factors.size());
    std::string less;
    std::string more;
    std::string marks;
    std::vector<EndLabel> labels;
    std::string tics;
    double left = 0.0;
    double right = 0.0;
    for (std::size_t row = 0; row < chart.factors.size(); ++row) {
        const TornadoFactor& factor = chart.factors[row];
        tics += fmt::format("{}\"{}\" {}", row == 0 ? "" : ", ",
                            gnuplot_tic(joined(lines_of(factor.name, kNameLetters))), row + 1);
        const TornadoValue& least = least_of(factor);
        const TornadoValue& greatest = greatest_of(factor);
        const auto bar = [&](double end) {
            return fmt::format("{} {} {} {} {} {}\n", end / 2.0, row + 1, std::min(0.0, end),
                               std::max(0.0, end), static_cast<double>(row) + 0.7,
                               static_cast<double>(row) + 1.3);
        };
        if (least.change_percent < 0.0) {
            less += bar(least.change_percent);
            labels.emplace_back(least, row, true);
        }
        if (greatest.change_percent > 0.0 || least.change_percent >= 0.0) {
            more += bar(greatest.change_percent);
            labels.emplace_back(greatest, row, false);
        }
        for (const TornadoValue& value : factor.values) {
            marks += fmt::format("{} {} {}\n", value.change_percent, row + 1,
                                 value.half_width_percent.value_or(0.0));
            left = std::min(left, value.change_percent);
            right = std::max(right, value.change_percent);
        }
    }
    const auto [axis_begin, axis_end] =
        range_with_words(labels, left, right, kTornadoPixels - kNamePixels - 40);
    std::string words;
    for (const EndLabel& label : labels) {
        words += label.script();
    }
    drawing.script = data_block("$less", less) + data_block("$more", more) +
                     data_block("$marks", marks) + chart_settings() + "unset key\n" +
                     "set grid x back linetype 1 linewidth 0.5 linecolor rgb \"#E2E2E2\"\n" +
                     axis_label("x", chart.value_label) +
                     fmt::format("set ytics ({}) scale 0\n", tics) + words +
                     fmt::format("set lmargin at screen {}\nset rmargin at screen 0.98\n",
                                 static_cast<double>(kNamePixels) / kTornadoPixels) +
                     fmt::format("set yrange [{}.6:0.4]\nset xrange [{}:{}]\n",
                                 chart.factors.size(), axis_begin, axis_end) +
                     "set arrow from 0, graph 0 to 0, graph 1 nohead front linecolor rgb "
                     "\"#333333\"\n";
    std::string plots;
    const auto add = [&plots](const std::string& plot) {
        plots += (plots.empty() ? "" : ", \\\n     ") + plot;
    };
    for (const auto& [rows, name, title, colour] :
         {std::tuple(&less, "$less", "less than the base", kLess),
          std::tuple(&more, "$more", "more than the base", kMore)}) {
        if (!rows->empty()) {
            add(
                fmt::format("{} using 1:2:3:4:5:6 with boxxyerror fillstyle solid 0.75 noborder "
                            "linecolor rgb \"{}\" title \"{}\"",
                            name, colour, title));
        }
    }
    add(
        fmt::format("$marks using 1:2:3 with xerrorbars pointtype 7 pointsize 0.45 linecolor rgb "
                    "\"#111111\" title \"each value with its 95 % interval\""));
    drawing.script += "plot " + plots + "\n";
    return drawing;
}

}  // namespace weir::experiments::pages
