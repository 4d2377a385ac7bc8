#include "experiments/pages/figures/panels.h"

#include <fmt/format.h>

#include "experiments/pages/figures/drawing.h"
#include "experiments/pages/figures/gnuplot.h"

namespace weir::experiments::pages {

Drawing panels(const std::string& title, const std::vector<std::string>& small_lines,
               const std::vector<records::LineChart>& charts) {
    constexpr int kTitleHeight = 60;  // pixels, as Drawing's
    std::string heading = gnuplot_plain(title);
    for (const std::string& line : small_lines) {
        heading += "\\n{/*0.8 " + gnuplot_plain(line) + "}";
    }
    Drawing picture;
    picture.width_pixels = 1100;
    picture.height_pixels = kTitleHeight;
    picture.script = charts.size() == 1 ? "" : "set lmargin 12\nset rmargin 4\n";
    // The blank line at the end keeps the title off the first panel's key.
    std::string plots =
        fmt::format("set multiplot layout {},1 title \"{}\\n \"\n", charts.size(), heading);
    for (const records::LineChart& chart : charts) {
        const Drawing panel = line_drawing(chart);
        picture.height_pixels += panel.height_pixels;
        plots += panel.script;
    }
    picture.script += plots + "unset multiplot\n";
    return picture;
}

}  // namespace weir::experiments::pages
