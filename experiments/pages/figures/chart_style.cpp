#include "experiments/pages/figures/chart_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/pages/figures/gnuplot.h"
#include "experiments/setup/text/wrapped_text.h"
#include "hw/text_streams.h"

namespace weir::experiments::pages {

namespace {

constexpr std::array<std::string_view, kSeriesColours> kColours = {
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A7A7A"};

}  // namespace

std::string_view series_colour(std::size_t series) { return kColours[series % kColours.size()]; }

std::string chart_settings() {
    return "set encoding utf8\n"
           "set border 3 linewidth 1 linecolor rgb \"#333333\"\n"
           "set tics nomirror out scale 0.6 textcolor rgb \"#333333\"\n"
           "set grid back linetype 1 linewidth 0.5 linecolor rgb \"#E2E2E2\"\n"
           "set key above left horizontal Left reverse samplen 2 spacing 1.2\n"
           "set bars 0.6\n"
           "set format \"%g\"\n";
}

std::string axis_label(std::string_view axis, const std::string& text) {
    return fmt::format("set {}label \"{}\"\n", axis, gnuplot_plain(text));
}

std::string value_label(const std::string& label, bool starts_at_zero, int axis_pixels) {
    constexpr int kLetterPixels = 7;
    const std::size_t letters = std::max(axis_pixels / kLetterPixels, 1);
    hw::TextReader lines(setup::wrapped(
        label + (starts_at_zero ? "" : " (axis does not start at 0)"), "", "", letters));
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        text += (text.empty() ? "" : "\\n") + gnuplot_plain(line);
    }
    return fmt::format("set ylabel \"{}\"\n", text);
}

bool starts_at_zero(double least, double most) {
    constexpr double kStrip = 0.6;
    return least >= 0.0 && least <= kStrip * most;
}

std::string measured_ticks(const std::vector<MeasuredTick>& ticks, bool is_logarithmic,
                           int axis_pixels) {
    constexpr double kLetterPixels = 7.0;
    constexpr double kBetweenPixels = 8.0;
    const auto place = [&](std::size_t i) {
        return is_logarithmic ? std::log(ticks[i].at) : ticks[i].at;
    };
    const double span = ticks.empty() ? 0.0 : place(ticks.size() - 1) - place(0);
    const auto have_room = [&](std::size_t left, std::size_t right) {
        const double letters = 0.5 * static_cast<double>(setup::width_of(ticks[left].text) +
                                                         setup::width_of(ticks[right].text));
        return (place(right) - place(left)) / span * axis_pixels >=
               kLetterPixels * letters + kBetweenPixels;
    };
    std::vector<bool> has_words(ticks.size(), false);
    std::size_t last = 0;
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        const std::size_t end = ticks.size() - 1;
        has_words[i] = i == 0 || i == end || (have_room(last, i) && have_room(i, end));
        last = has_words[i] ? i : last;
    }
    std::string text;
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        text +=
            fmt::format("{}\"{}\" {}", i == 0 ? "" : ", ",
                        has_words[i] ? gnuplot_tic(gnuplot_plain(ticks[i].text)) : "", ticks[i].at);
    }
    return fmt::format("set xtics ({})\n", text);
}

std::string data_block(const std::string& name, const std::string& rows) {
    return fmt::format("{} << END\n{}END\n", name, rows);
}

std::string heat_palette() {
    return "set palette defined (0 \"#EFEFEF\", 0.2 \"#FCC545\", 0.4 \"#F37819\", 0.6 \"#BB3754\", "
           "0.8 \"#6A176E\", 1 \"#160B39\")\n";
}

std::string part_colour(std::string_view part) {
    constexpr std::array kPartColours{std::pair{"request_send", "#0072B2"},
                                      std::pair{"request_network_unloaded", "#009E73"},
                                      std::pair{"request_network_contention", "#C22E1F"},
                                      std::pair{"request_notify", "#6B6B70"},
                                      std::pair{"request_queueing", "#E69F00"},
                                      std::pair{"request_handler", "#A3547F"},
                                      std::pair{"reply_send", "#7DB8DA"},
                                      std::pair{"reply_network_unloaded", "#85CDB5"},
                                      std::pair{"reply_network_contention", "#E89A92"},
                                      std::pair{"reply_notify", "#B9B9BE"},
                                      std::pair{"reply_queueing", "#F4D28A"},
                                      std::pair{"reply_handler", "#DDB3CB"},
                                      std::pair{"compute", "#26426B"},
                                      std::pair{"wait", "#D9D9DD"},
                                      std::pair{"interference", "#8C510A"}};
    for (const auto& [name, colour] : kPartColours) {
        if (part == name) {
            return colour;
        }
    }
    return "";
}

void ModelNumbers::add(const std::string& model) {
    if (numbers_.contains(model)) {
        return;
    }
    const std::vector<std::string>& compared = analyses::compared_model_names();
    const auto found = std::find(compared.begin(), compared.end(), model);
    std::size_t number = found - compared.begin();
    const auto is_taken = [this](std::size_t wanted) {
        return std::any_of(numbers_.begin(), numbers_.end(),
                           [wanted](const auto& entry) { return entry.second == wanted; });
    };
    if (found == compared.end()) {
        for (number = 0; is_taken(number);) {
            ++number;
        }
    }
    numbers_.emplace(model, number);
}

}  // namespace weir::experiments::pages
