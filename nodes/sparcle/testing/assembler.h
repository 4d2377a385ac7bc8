#pragma once

#include <cstdint>

#include "nodes/sparcle/instruction.h"

/// Encoders of instruction words for tests, one for each format.
namespace weir::nodes::sparcle::testing {

constexpr std::uint32_t kNop = 0x01000000;

constexpr unsigned g(unsigned number) { return number; }
constexpr unsigned o(unsigned number) { return 8 + number; }
constexpr unsigned l(unsigned number) { return 16 + number; }
constexpr unsigned i(unsigned number) { return 24 + number; }

/// op = 2: `rd` = `rs1` op `rs2`.
constexpr std::uint32_t operation(unsigned op3, unsigned rd, unsigned rs1, unsigned rs2) {
    return 0x80000000 | rd << 25 | op3 << 19 | rs1 << 14 | rs2;
}
/// op = 2 with an immediate of 13 bits.
constexpr std::uint32_t operation_immediate(unsigned op3, unsigned rd, unsigned rs1,
                                            std::int32_t immediate) {
    return operation(op3, rd, rs1, 0) | 1U << 13 | (static_cast<std::uint32_t>(immediate) & 0x1fff);
}
/// op = 3: `rd`, [`rs1` + `immediate`].
constexpr std::uint32_t access(unsigned op3, unsigned rd, unsigned rs1, std::int32_t immediate) {
    return 0x40000000 | operation_immediate(op3, rd, rs1, immediate);
}
/// op = 3: `rd`, [`rs1` + `rs2`] in an address space.
constexpr std::uint32_t alternate(unsigned op3, unsigned rd, unsigned rs1, unsigned rs2,
                                  unsigned asi) {
    return 0x40000000 | operation(op3 | kAlternate, rd, rs1, rs2) | asi << 5;
}
constexpr std::uint32_t float_operation(unsigned opf, unsigned rd, unsigned rs1, unsigned rs2) {
    const bool compares = opf >= kFcmps && opf <= kFcmped;
    return operation(compares ? kFpop2 : kFpop1, rd, rs1, rs2) | opf << 5;
}
constexpr std::uint32_t sethi(unsigned rd, std::uint32_t value) {
    return rd << 25 | unsigned{kSethi} << 22 | value >> 10;
}
/// Conditions of Bicc; bit 3 inverts a condition.
constexpr unsigned kEqual = 1;
constexpr unsigned kAlways = 8;
constexpr unsigned kNotEqual = 9;
/// Bicc and FBfcc to the word `words` after the branch.
constexpr std::uint32_t branch(unsigned op2, unsigned condition, bool annul, std::int32_t words) {
    return static_cast<std::uint32_t>(annul) << 29 | condition << 25 | op2 << 22 |
           (static_cast<std::uint32_t>(words) & 0x3fffff);
}
constexpr std::uint32_t call(std::int32_t words) {
    return 0x40000000 | (static_cast<std::uint32_t>(words) & 0x3fffffff);
}

/// Bits of PSR; icc is N, Z, V, C from bit 23 down.
constexpr std::uint32_t kPsrSupervisor = 0x80;
constexpr std::uint32_t kPsrPrevious = 0x40;
constexpr std::uint32_t kPsrTraps = 0x20;
constexpr std::uint32_t kPsrFloat = 0x1000;
constexpr std::uint32_t icc_of(std::uint32_t psr) { return (psr >> 20) & 0xf; }

}  // namespace weir::nodes::sparcle::testing
