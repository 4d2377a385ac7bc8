#include "experiments/debug/hexadecimal.h"

#include <fmt/format.h>

#include <charconv>

namespace weir::experiments::debug {

std::string hex_of_byte(std::uint8_t byte) { return fmt::format("{:02x}", byte); }

std::string hex_of(std::span<const std::uint8_t> bytes) {
    std::string digits;
    for (const std::uint8_t byte : bytes) {
        digits += hex_of_byte(byte);
    }
    return digits;
}

std::string hex_of(std::string_view text) {
    std::string digits;
    for (const char byte : text) {
        digits += hex_of_byte(static_cast<std::uint8_t>(byte));
    }
    return digits;
}

std::string hex_of_word(std::uint32_t word) { return fmt::format("{:08x}", word); }

std::optional<std::uint64_t> number_from_hex(std::string_view digits) {
    constexpr int kHexadecimal = 16;
    std::uint64_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stopped, error] = std::from_chars(digits.data(), end, number, kHexadecimal);
    if (error != std::errc() || stopped != end) {
        return std::nullopt;
    }
    return number;
}

std::optional<std::vector<std::uint8_t>> bytes_from_hex(std::string_view digits) {
    std::vector<std::uint8_t> bytes;
    if (digits.size() % 2 != 0) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const auto byte = number_from_hex(digits.substr(i, 2));
        if (!byte) {
            return std::nullopt;
        }
        bytes.push_back(static_cast<std::uint8_t>(*byte));
    }
    return bytes;
}

}  // namespace weir::experiments::debug
