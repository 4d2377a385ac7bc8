#pragma once

#include <cstdint>

#include "nodes/sparcle/architecture.h"

namespace weir::nodes::sparcle {

/// Values of TBR.tt (SPARC V7; V8 Table 7-1), in the order of priority: an instruction with several
/// traps takes the first.
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
/// Lowest type of Ticc; the number of the software trap, 0 to 127, is added.
inline constexpr std::uint8_t kTrapInstruction = 0x80;
/// Type of interrupts; the level, 1 to 15, is added.
inline constexpr std::uint8_t kTrapInterrupt = 0x10;

}  // namespace weir::nodes::sparcle
