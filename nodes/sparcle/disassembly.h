#pragma once

#include <cstdint>
#include <string>

namespace weir::nodes::sparcle {

/// An instruction word as an assembler reads it, "ld [%g7 + 0x28], %l3": SPARC V7's and V8's
/// mnemonics with the usual short forms (mov, cmp, ret), as objdump has them; Sparcle's own are
/// nextf, prevf, ipilaunch, ipicst, ldio and stio. `pc` is where it stands: branches and calls name
/// the address they go to. ".word 0x..." for what is no instruction.
[[nodiscard]] std::string disassembly(std::uint32_t word, std::uint32_t pc);

}  // namespace weir::nodes::sparcle
