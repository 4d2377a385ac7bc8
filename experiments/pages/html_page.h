#pragma once

#include <string>

#include "experiments/records/document.h"

namespace weir::experiments::pages {

/// The document as one HTML file that needs nothing else: style, script and figures are in it. It
/// can be read without its script, which sorts tables (a click on a column's head, or the address
/// page.html#sort=TABLE,COLUMN from 1, with a minus from the greatest down) and saves figures as
/// SVG. A cell's exact number is its attribute data-value, and the half width of its interval
/// data-half-width. The figures must have names (name_figures()). Throws GnuplotError.
[[nodiscard]] std::string html_page(const records::Document& document);

}  // namespace weir::experiments::pages
