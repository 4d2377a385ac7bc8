#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/pages/figures/chart_style.h"
#include "experiments/pages/figures/drawing.h"
#include "experiments/pages/figures/gnuplot.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using records::StackedBar;
using records::StackedBars;

constexpr double kBetweenGroups = 0.7;  // gap between two groups, in widths of a bar
constexpr std::size_t kMostLabelBytes = 30;
constexpr std::size_t kMostWhoLetters = 8;  // longest name of a bar that fits above it

// Label of a group; long ones are shortened in the middle. The table beside the figure has the full
// name.
std::string label_of(const std::string& group) {
    if (group.size() <= kMostLabelBytes) {
        return group;
    }
    const auto is_within_character = [&group](std::size_t at) {
        return (group[at] & 0xC0) == 0x80;
    };
    std::size_t left = kMostLabelBytes / 2;
    std::size_t right = group.size() - kMostLabelBytes / 2;
    while (is_within_character(left)) {
        --left;
    }
    while (is_within_character(right)) {
        ++right;
    }
    return group.substr(0, left) + "…" + group.substr(right);
}

struct Places {
    std::vector<double> bars;  ///< horizontal positions of the bars' middles
    std::vector<std::pair<std::string, double>> groups;
    double end = 0.0;
};

Places places_of(const std::vector<StackedBar>& bars) {
    Places places;
    double at = 0.0;
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const bool is_new = i == 0 || bars[i].group != bars[i - 1].group;
        at += is_new ? kBetweenGroups : 0.0;
        places.bars.push_back(at + 0.5);
        if (is_new) {
            places.groups.emplace_back(label_of(bars[i].group), at + 0.5);
        } else {  // moves the label to the middle of its bars
            places.groups.back().second += 0.5;
        }
        at += 1.0;
    }
    places.end = at + kBetweenGroups;
    return places;
}

std::string boxes(const StackedBars& chart, const Places& places, std::size_t part) {
    constexpr double kHalfBar = 0.44;
    std::string rows;
    for (std::size_t b = 0; b < chart.bars.size(); ++b) {
        double below = 0.0;
        for (std::size_t i = 0; i < part; ++i) {
            below += std::max(0.0, chart.bars[b].parts[i].value_or(0.0));
        }
        const double length = std::max(0.0, chart.bars[b].parts[part].value_or(0.0));
        if (length > 0.0) {
            rows += fmt::format("{} {} {} {} {} {}\n", places.bars[b], below + length / 2.0,
                                places.bars[b] - kHalfBar, places.bars[b] + kHalfBar, below,
                                below + length);
        }
    }
    return rows;
}

records::DataTable data_of(const StackedBars& chart) {
    records::DataTable data;
    data.columns = {chart.group_name, "who"};
    for (const StackedBars::Part& part : chart.parts) {
        std::string name = part.name + "_" + chart.unit;
        std::replace(name.begin(), name.end(), ' ', '_');
        data.columns.push_back(name);
    }
    for (const StackedBar& bar : chart.bars) {
        std::vector<records::DataTable::Cell> row{bar.group,
                                                  bar.who.empty() ? "measured" : bar.who};
        for (const std::optional<double>& part : bar.parts) {
            row.push_back(part ? records::DataTable::Cell(*part) : records::DataTable::Cell());
        }
        data.rows.push_back(std::move(row));
    }
    return data;
}

double sum_of(const StackedBar& bar) {
    double sum = 0.0;
    for (const std::optional<double>& part : bar.parts) {
        sum += std::max(0.0, part.value_or(0.0));
    }
    return sum;
}

// Labels above the bars: their totals, preceded by the bars' names if all of these are short.
std::string labels_of(const StackedBars& chart, const Places& places) {
    const bool names_who =
        std::all_of(chart.bars.begin(), chart.bars.end(), [](const StackedBar& bar) {
            return !bar.who.empty() && bar.who.size() <= kMostWhoLetters;
        });
    std::string text;
    for (std::size_t b = 0; b < chart.bars.size(); ++b) {
        text += fmt::format(
            "set label \"{}{}\" at {}, {} center offset 0, {} font \",11\" textcolor rgb "
            "\"#333333\"\n",
            names_who ? gnuplot_plain(chart.bars[b].who) + "\\n" : "",
            setup::shown_number(chart.bars[b].whole.value_or(sum_of(chart.bars[b]))),
            places.bars[b], sum_of(chart.bars[b]), names_who ? 1.3 : 0.5);
    }
    return text;
}

std::string group_tics(const Places& places) {
    std::string tics;
    for (const auto& [name, at] : places.groups) {
        tics += fmt::format("{}\"{}\" {}", tics.empty() ? "" : ", ",
                            gnuplot_tic(gnuplot_plain(name)), at);
    }
    return fmt::format("set xtics ({}) scale 0\n", tics);
}

// Slanted labels of ticks, with a left margin for the first label, which ends `pixels` from the
// axis.
std::string slanted_tics(std::size_t letters, double pixels) {
    constexpr double kLetterAcross = 5.7;
    constexpr double kMarginUnit = 6.1;
    constexpr double kOwnMargin = 10.0;  // margin for the axis' numbers and label
    return fmt::format(
        "set xtics rotate by 35 right\nset lmargin {:.0f}\n",
        std::max(kOwnMargin,
                 (kLetterAcross * static_cast<double>(letters) - pixels) / kMarginUnit));
}

}  // namespace

Drawing stacked_drawing(const StackedBars& chart) {
    Drawing drawing;
    drawing.data = data_of(chart);
    const Places places = places_of(chart.bars);
    constexpr int kBarPixels = 46;
    constexpr int kWidest = 1300;
    constexpr int kBesidePlot = 220;  // width of the axis and the key
    drawing.width_pixels =
        std::clamp(260 + static_cast<int>(kBarPixels * places.end), 560, kWidest);
    std::size_t label_letters = 0;
    for (const auto& [label, at] : places.groups) {
        label_letters = std::max(label_letters, label.size());
    }
    double most = 0.0;
    for (const StackedBar& bar : chart.bars) {
        most = std::max(most, sum_of(bar));
    }
    constexpr double kLetterPixels = 7.0;
    const double plot_pixels = drawing.width_pixels - kBesidePlot;
    const double each = plot_pixels / static_cast<double>(places.groups.size());
    const bool is_crowded = kLetterPixels * static_cast<double>(label_letters) > each;
    drawing.height_pixels += is_crowded ? std::min(160, static_cast<int>(4 * label_letters)) : 0;
    std::string blocks;
    std::string plots;
    for (std::size_t part = chart.parts.size();
         part-- > 0;) {  // reversed: the key lists the top part first
        const std::string rows = boxes(chart, places, part);
        if (rows.empty()) {
            continue;
        }
        const std::string name = fmt::format("$part_{}", part + 1);
        blocks += data_block(name, rows);
        const std::string& given = chart.parts[part].colour;
        plots += plots.empty() ? "" : ", \\\n     ";
        plots += fmt::format(
            "{} using 1:2:3:4:5:6 with boxxyerror fillstyle solid {} border rgb \"white\" "
            "linecolor rgb \"{}\" title \"{}\"",
            // repeated colours are lighter
            name, given.empty() && part >= kSeriesColours ? 0.4 : 1.0,
            given.empty() ? std::string(series_colour(part)) : given,
            gnuplot_plain(chart.parts[part].name));
    }
    drawing.script =
        blocks + chart_settings() + "set key outside right top vertical Left reverse samplen 1\n" +
        "unset grid\nset grid y back linetype 1 linewidth 0.5 linecolor rgb "
        "\"#E2E2E2\"\n" +
        axis_label("y", chart.value_label) + group_tics(places) +
        (is_crowded ? slanted_tics(places.groups.front().first.size(),
                                   plot_pixels * places.groups.front().second / places.end)
                    : "") +
        labels_of(chart, places) +
        fmt::format("set xrange [0:{}]\nset yrange [0:{}]\nplot {}\n", places.end,
                    most > 0.0 ? 1.12 * most : 1.0, plots);
    return drawing;
}

}  // namespace weir::experiments::pages
