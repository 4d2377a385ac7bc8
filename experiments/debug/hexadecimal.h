#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::experiments::debug {

/// Two digits.
std::string hex_of_byte(std::uint8_t byte);
/// Two digits a byte.
std::string hex_of(std::span<const std::uint8_t> bytes);
std::string hex_of(std::string_view text);
/// Eight digits, the highest byte first.
std::string hex_of_word(std::uint32_t word);

/// Of 1 to 16 digits and nothing else.
std::optional<std::uint64_t> number_from_hex(std::string_view digits);
/// Of pairs of digits and nothing else.
std::optional<std::vector<std::uint8_t>> bytes_from_hex(std::string_view digits);

}  // namespace weir::experiments::debug
