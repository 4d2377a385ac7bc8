#pragma once

#include <string>
#include <string_view>

namespace weir::experiments::setup {

/// The text escaped for XML, as content or as a value in double quotes.
[[nodiscard]] std::string xml_escaped(std::string_view text);

}  // namespace weir::experiments::setup
