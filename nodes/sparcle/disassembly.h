#pragma once

#include <cstdint>
#include <string>

namespace weir::nodes::sparcle {

/// Returns the assembler text of an instruction word, such as "ld [%g7 + 0x28], %l3".
///
/// Mnemonics of SPARC V7 and V8 with the usual short forms (mov, cmp, ret), as in objdump.
/// Sparcle's own are nextf, prevf, ipilaunch, ipicst, ldio and stio. `pc` is the word's address:
/// branches and calls show their target address. An invalid word gives ".word 0x...".
[[nodiscard]] std::string disassembly(std::uint32_t word, std::uint32_t pc);

}  // namespace weir::nodes::sparcle
