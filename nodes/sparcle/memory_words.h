#pragma once

#include <cstdint>
#include <cstring>

namespace weir::nodes::sparcle {

/// Returns the big-endian number in 1, 2, 4 or 8 bytes of memory.
inline std::uint64_t number_of(const std::uint8_t* bytes, unsigned count) {
    switch (count) {
        case 1:
            return bytes[0];
        case 2: {
            std::uint16_t half = 0;
            std::memcpy(&half, bytes, sizeof half);
            return __builtin_bswap16(half);
        }
        case 4: {
            std::uint32_t word = 0;
            std::memcpy(&word, bytes, sizeof word);
            return __builtin_bswap32(word);
        }
        default: {
            std::uint64_t double_word = 0;
            std::memcpy(&double_word, bytes, sizeof double_word);
            return __builtin_bswap64(double_word);
        }
    }
}

/// Stores the lowest `count` bytes of a number, big-endian.
inline void put_number(std::uint64_t number, std::uint8_t* bytes, unsigned count) {
    const std::uint64_t big_endian = __builtin_bswap64(number << (64 - 8 * count));
    std::memcpy(bytes, &big_endian, count);
}

}  // namespace weir::nodes::sparcle
