#pragma once

#include <string_view>

namespace weir::experiments::setup {

/// Whether the whole text is what the pattern says, in which * stands for any letters and ? for
/// one.
[[nodiscard]] bool fits_pattern(std::string_view text, std::string_view pattern);

}  // namespace weir::experiments::setup
