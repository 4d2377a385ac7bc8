#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/records/charts.h"
#include "experiments/records/figure.h"

namespace weir::experiments::pages {

/// Point of a drawing whose numbers are shown under the pointer.
struct PointHint {
    double x = 0.0;  ///< position in units of the axes
    double y = 0.0;
    std::size_t curve = 0;  ///< number of the gnuplot element that draws it, from 1
    std::string text;
};

/// Points between one pair of axes.
struct PlotHints {
    bool x_is_logarithmic = false;
    bool y_is_logarithmic = false;
    std::vector<PointHint> points;
};

/// Chart as gnuplot commands, with its numbers as a table.
struct Drawing {
    records::DataTable data;
    int width_pixels = 760;
    int height_pixels = 420;
    std::string script;  ///< gnuplot commands that follow the settings of terminal and output
    /// One entry for each plot that print_axes() follows in the script, in this order.
    std::vector<PlotHints> hints = {};
};

[[nodiscard]] Drawing drawing_of(const records::Figure& figure);

// One function per kind of chart, each in the file named after the kind.

/// With one series, each model has a colour and measured values are black. With several series,
/// each has a colour and each model a dash. Logarithmic axes leave out values that are not above 0.
[[nodiscard]] Drawing line_drawing(const records::LineChart& chart);
[[nodiscard]] Drawing dot_drawing(const records::DotChart& chart);
/// Negative parts are in the data but not in the picture.
[[nodiscard]] Drawing stacked_drawing(const records::StackedBars& chart);
[[nodiscard]] Drawing tornado_drawing(records::TornadoChart chart);
/// Up to four panels in a row with a common axis of values, which starts at 0 or says that it does
/// not. A line joins the points; the band around it is their interval.
[[nodiscard]] Drawing panel_drawing(const records::PanelChart& chart);
/// Use of a network:
/// - Mesh or torus of two dimensions: a map, x to the right and y downwards. Arrows are channels.
///   Squares are nodes, with the mean and the greatest number of bytes in the input queue.
/// - Other networks: channels and nodes in a row, the busiest first.
[[nodiscard]] Drawing network_drawing(const records::NetworkUse& use);

/// gnuplot command that prints the pixel positions of the last plot's axes as a line for
/// hint_circles().
[[nodiscard]] std::string print_axes();

/// Invisible circles for an SVG drawing of `height_pixels`: one at each point, with the point's
/// text as its title. The argument axes is the output of print_axes(), one line per plot. Throws
/// GnuplotError if it has another format.
[[nodiscard]] std::string hint_circles(const std::vector<PlotHints>& plots, const std::string& axes,
                                       int height_pixels);

/// The figure as an SVG element for a page. Names inside the element begin with the figure's name,
/// so that several figures don't clash. Throws GnuplotError if gnuplot fails.
[[nodiscard]] std::string svg_element(const records::Figure& figure, const Drawing& drawing);

enum class PictureFormat { kPdf, kPng, kSvg };

/// Writes the drawing to a file. Throws GnuplotError if gnuplot fails.
void draw(const Drawing& drawing, PictureFormat format, const std::string& path);

/// Charts one above the other with aligned axes, below a title and lines in small letters; for a
/// picture outside of a page.
[[nodiscard]] Drawing panels(const std::string& title, const std::vector<std::string>& small_lines,
                             const std::vector<records::LineChart>& charts);

}  // namespace weir::experiments::pages
