#pragma once

#include <string>
#include <vector>

#include "experiments/pages/figures/plot_hints.h"
#include "experiments/records/figure.h"

namespace weir::experiments::pages {

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

/// The figure as an SVG element to stand in a page. Names inside it begin with the figure's, so
/// that those of several don't clash. Throws GnuplotError.
[[nodiscard]] std::string svg_element(const records::Figure& figure, const Drawing& drawing);

enum class PictureFormat { kPdf, kPng, kSvg };

/// Draws it into a file. Throws GnuplotError.
void draw(const Drawing& drawing, PictureFormat format, const std::string& path);

}  // namespace weir::experiments::pages
