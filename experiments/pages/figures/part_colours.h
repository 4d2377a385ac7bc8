#pragma once

#include <string>
#include <string_view>

namespace weir::experiments::pages {

/// Colour of a part of a round trip ("request_send") on all pages: requests in full colours,
/// replies in light ones. Empty for other names.
[[nodiscard]] std::string part_colour(std::string_view part);

}  // namespace weir::experiments::pages
