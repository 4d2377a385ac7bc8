#pragma once

#include <string>
#include <vector>

namespace weir::experiments::run {

/// The begin of an SVG picture of so many pixels on white: its title, and `style` after the text's
/// own ("text.k" is small and centred).
[[nodiscard]] std::string picture_begin(double width, double height, const std::string& title,
                                        const std::string& style);

/// Of the palette "inferno" turned around: light at 0, dark at 1; what is beyond is as these.
[[nodiscard]] std::string heat_colour(double share);

/// A bar with the palette's colours and, evenly below it, what they stand for.
[[nodiscard]] std::string colour_key(double left, double top, const std::vector<std::string>& what);

}  // namespace weir::experiments::run
