#pragma once

#include <cstdint>
#include <string>

namespace weir::experiments::pages {

/// Which of two values of a metric is the better one, as far as the unit says: less time, more work
/// in a time.
enum class Better : std::uint8_t { kLess, kMore, kUnknown };

[[nodiscard]] Better better_of(const std::string& metric);

}  // namespace weir::experiments::pages
