#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::experiments::debug {

/// The byte as two hexadecimal digits.
std::string hex_of_byte(std::uint8_t byte);
/// The bytes as hexadecimal digits, two per byte.
std::string hex_of(std::span<const std::uint8_t> bytes);
std::string hex_of(std::string_view text);
/// The word as eight hexadecimal digits, highest byte first.
std::string hex_of_word(std::uint32_t word);

/// Value of 1 to 16 digits; empty if `digits` is anything else.
std::optional<std::uint64_t> number_from_hex(std::string_view digits);
/// Bytes of pairs of digits; empty if `digits` is anything else.
std::optional<std::vector<std::uint8_t>> bytes_from_hex(std::string_view digits);

}  // namespace weir::experiments::debug
