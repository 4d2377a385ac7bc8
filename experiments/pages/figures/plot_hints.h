#pragma once

#include <cstddef>
#include <string>
#include <vector>

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

/// gnuplot's command after a plot that prints where its axes are, a line for hint_circles().
[[nodiscard]] std::string print_axes();

/// For an SVG drawing of so many pixels: a circle at each point that can't be seen, and has the
/// point's text as its title. `axes` is what print_axes() printed, a line for each plot. Throws
/// GnuplotError when that is something else.
[[nodiscard]] std::string hint_circles(const std::vector<PlotHints>& plots, const std::string& axes,
                                       int height_pixels);

}  // namespace weir::experiments::pages
