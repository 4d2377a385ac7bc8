#pragma once

#include <string>

namespace weir::experiments::setup {

/// The text as a field of CSV (RFC 4180): in double quotes where it has to be.
[[nodiscard]] std::string csv_field(const std::string& text);

}  // namespace weir::experiments::setup
