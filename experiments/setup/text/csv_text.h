#pragma once

#include <string>

namespace weir::experiments::setup {

/// The text as a CSV field (RFC 4180), quoted where necessary.
[[nodiscard]] std::string csv_field(const std::string& text);

}  // namespace weir::experiments::setup
