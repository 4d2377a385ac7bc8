#pragma once

#include <string>
#include <string_view>

namespace weir::experiments::setup {

/// SHA-256 digest (FIPS 180-4), 64 hexadecimal digits. For decisions about trust; results are
/// compared by the faster hashes of fact_digest.h.
[[nodiscard]] std::string sha256(std::string_view bytes);

}  // namespace weir::experiments::setup
