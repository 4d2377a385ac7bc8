#pragma once

#include <string>

#include "experiments/report/figure.h"

namespace weir::experiments::report {

/// The figure as an SVG element to stand in a page. Names inside it begin with the figure's, so
/// that those of several don't clash. Throws GnuplotError.
[[nodiscard]] std::string svg_element(const Figure& figure);

enum class PictureFormat { kPdf, kPng, kSvg };

/// Draws it into a file. Throws GnuplotError.
void draw(const Figure& figure, PictureFormat format, const std::string& path);

}  // namespace weir::experiments::report
