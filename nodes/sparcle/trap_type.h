#pragma once

#include <cstdint>

#include "nodes/sparcle/architecture.h"

namespace weir::nodes::sparcle {

/// What TBR.tt says of a trap (SPARC V7; V8 Table 7-1), in the order of their priority: of several
/// that an instruction could take, it takes the first.
inline constexpr std::uint8_t kTrapReset = 0x00;
inline constexpr std::uint8_t kTrapInstructionAccess = 0x01;
inline constexpr std::uint8_t kTrapPrivilegedInstruction = 0x03;
inline constexpr std::uint8_t kTrapIllegalInstruction = 0x02;
inline constexpr std::uint8_t kTrapFloatDisabled = 0x04;
inline constexpr std::uint8_t kTrapCoprocessorDisabled = 0x24;
inline constexpr std::uint8_t kTrapWindowOverflow = 0x05;
inline constexpr std::uint8_t kTrapWindowUnderflow = 0x06;
inline constexpr std::uint8_t kTrapAddressNotAligned = 0x07;
inline constexpr std::uint8_t kTrapFloatException = 0x08;
inline constexpr std::uint8_t kTrapDataAccess = 0x09;
inline constexpr std::uint8_t kTrapTagOverflow = 0x0a;
inline constexpr std::uint8_t kTrapDivisionByZero = SPARCLE_TRAP_DIVISION_BY_ZERO;
/// Ticc: its lowest; the number of the software trap, 0 to 127, is added.
inline constexpr std::uint8_t kTrapInstruction = 0x80;
/// Interrupts: their level, 1 to 15, is added.
inline constexpr std::uint8_t kTrapInterrupt = 0x10;

}  // namespace weir::nodes::sparcle
