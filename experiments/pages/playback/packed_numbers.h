#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace weir::experiments::pages {

/// The bytes, packed by zlib, in base 64.
[[nodiscard]] std::string packed_bytes(std::span<const std::uint8_t> bytes);

/// The numbers' lowest bytes, then their second ones, and so on, packed in the same way: where most
/// numbers are small, most of it is zeros.
[[nodiscard]] std::string packed_numbers(std::span<const std::uint32_t> numbers);

}  // namespace weir::experiments::pages
