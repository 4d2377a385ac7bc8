#pragma once

#include <string>

#include "experiments/records/document.h"

namespace weir::experiments::pages {

/// The document as one HTML file with its style, script and figures inside.
///
/// The page is readable without its script. The script sorts tables and saves figures as SVG.
/// Tables are sorted by a click on a column's head, or by the address page.html#sort=TABLE,COLUMN.
/// The numbers of tables and columns begin at 1; a minus sorts from the greatest down.
///
/// A cell's exact number is its attribute data-value, the half width of its interval
/// data-half-width. The figures must have names (name_figures()). Throws GnuplotError if a figure
/// cannot be drawn.
[[nodiscard]] std::string html_page(const records::Document& document);

}  // namespace weir::experiments::pages
