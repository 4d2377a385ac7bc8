#include "experiments/setup/files/sha256.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace weir::experiments::setup {

namespace {

constexpr std::size_t kBlockBytes = 64;
constexpr std::size_t kRounds = 64;
using State = std::array<std::uint32_t, 8>;

// First 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2).
constexpr std::array<std::uint32_t, kRounds> kConstants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// Section 6.2.2.
void add_block(State& state, std::string_view block) {
    std::array<std::uint32_t, kRounds> words{};
    for (std::size_t i = 0; i < kBlockBytes; ++i) {
        words[i / 4] = words[i / 4] << 8 | static_cast<unsigned char>(block[i]);
    }
    for (std::size_t t = 16; t < kRounds; ++t) {
        const std::uint32_t two = words[t - 2];
        const std::uint32_t fifteen = words[t - 15];
        words[t] = (std::rotr(two, 17) ^ std::rotr(two, 19) ^ two >> 10) + words[t - 7] +
                   (std::rotr(fifteen, 7) ^ std::rotr(fifteen, 18) ^ fifteen >> 3) + words[t - 16];
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t t = 0; t < kRounds; ++t) {
        const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                    ((e & f) ^ (~e & g)) + kConstants[t] + words[t];
        const std::uint32_t second =
            (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }
    const State added{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state.size(); ++i) {
        state[i] += added[i];
    }
}

}  // namespace

std::string sha256(std::string_view bytes) {
    State state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const std::size_t whole = bytes.size() / kBlockBytes * kBlockBytes;
    for (std::size_t at = 0; at < whole; at += kBlockBytes) {
        add_block(state, bytes.substr(at, kBlockBytes));
    }
    // A bit of 1, zeros, and the length in bits fill up the last block (section 5.1.1).
    constexpr std::size_t kLengthBytes = 8;
    std::string rest(bytes.substr(whole));
    rest += '\x80';
    while (rest.size() % kBlockBytes != kBlockBytes - kLengthBytes) {
        rest += '\0';
    }
    const std::uint64_t bits = 8 * std::uint64_t{bytes.size()};
    for (std::size_t i = kLengthBytes; i-- > 0;) {
        rest += static_cast<char>(bits >> 8 * i);
    }
    for (std::size_t at = 0; at < rest.size(); at += kBlockBytes) {
        add_block(state, std::string_view(rest).substr(at, kBlockBytes));
    }
    std::string digits;
    for (const std::uint32_t word : state) {
        digits += fmt::format("{:08x}", word);
    }
    return digits;
}

}  // namespace weir::experiments::setup
