#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/records/charts.h"
#include "experiments/records/figure.h"

namespace weir::experiments::pages {

/// A point of a drawing that says its numbers under the pointer.
struct PointHint {
    double x = 0.0;  ///< in units of the axes
    double y = 0.0;
    std::size_t curve = 0;  ///< gnuplot's number of what it is drawn by, from 1
    std::string text;
};

/// The points between one pair of axes.
struct PlotHints {
    bool x_is_logarithmic = false;
    bool y_is_logarithmic = false;
    std::vector<PointHint> points;
};

/// A chart as gnuplot draws it, and the numbers in it.
struct Drawing {
    records::DataTable data;
    int width_pixels = 760;
    int height_pixels = 420;
    std::string script;  ///< gnuplot's commands after the terminal and the output are set
    /// Of each plot behind which the script has print_axes(), in their order.
    std::vector<PlotHints> hints = {};
};

[[nodiscard]] Drawing drawing_of(const records::Figure& figure);

// Of each kind of chart, in the file of its name.

/// One series: a colour a model, what is measured in black. Several: a colour a series, a dash a
/// model. Logarithmic axes leave out what is not above 0.
[[nodiscard]] Drawing line_drawing(const records::LineChart& chart);
[[nodiscard]] Drawing dot_drawing(const records::DotChart& chart);
/// Parts below zero are in the data and not in the picture.
[[nodiscard]] Drawing stacked_drawing(const records::StackedBars& chart);
[[nodiscard]] Drawing tornado_drawing(records::TornadoChart chart);
/// Up to four panels in a row; all have the same axis of values, which starts at 0 or says that it
/// does not. Points are joined by a line in a band, which is their interval.
[[nodiscard]] Drawing panel_drawing(const records::PanelChart& chart);
/// On a mesh or torus of two dimensions a map, x to the right and y downwards: an arrow a channel,
/// and a square a node with the mean and the greatest bytes in its input queue. On other networks
/// channels and nodes in a row, the busiest first.
[[nodiscard]] Drawing network_drawing(const records::NetworkUse& use);

/// gnuplot's command after a plot that prints where its axes are, a line for hint_circles().
[[nodiscard]] std::string print_axes();

/// For an SVG drawing of so many pixels: a circle at each point that can't be seen, and has the
/// point's text as its title. `axes` is what print_axes() printed, a line for each plot. Throws
/// GnuplotError when that is something else.
[[nodiscard]] std::string hint_circles(const std::vector<PlotHints>& plots, const std::string& axes,
                                       int height_pixels);

/// The figure as an SVG element to stand in a page. Names inside it begin with the figure's, so
/// that those of several don't clash. Throws GnuplotError.
[[nodiscard]] std::string svg_element(const records::Figure& figure, const Drawing& drawing);

enum class PictureFormat { kPdf, kPng, kSvg };

/// Draws it into a file. Throws GnuplotError.
void draw(const Drawing& drawing, PictureFormat format, const std::string& path);

/// Charts one above the other, whose axes begin and end at the same place, below a title and lines
/// in small letters. For a picture that stands by itself.
[[nodiscard]] Drawing panels(const std::string& title, const std::vector<std::string>& small_lines,
                             const std::vector<records::LineChart>& charts);

}  // namespace weir::experiments::pages
