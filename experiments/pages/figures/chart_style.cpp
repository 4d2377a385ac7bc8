#include "experiments/pages/figures/chart_style.h"

#include <fmt/format.h>

#include <array>

#include "experiments/pages/figures/gnuplot.h"

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

std::string data_block(const std::string& name, const std::string& rows) {
    return fmt::format("{} << END\n{}END\n", name, rows);
}

std::string heat_palette() {
    return "set palette defined (0 \"#EFEFEF\", 0.2 \"#FCC545\", 0.4 \"#F37819\", 0.6 \"#BB3754\", "
           "0.8 \"#6A176E\", 1 \"#160B39\")\n";
}

}  // namespace weir::experiments::pages
