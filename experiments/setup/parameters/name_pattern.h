#pragma once

#include <string_view>

namespace weir::experiments::setup {

/// True if the pattern matches the whole text; * matches any characters, ? matches one.
[[nodiscard]] bool fits_pattern(std::string_view text, std::string_view pattern);

}  // namespace weir::experiments::setup
