#pragma once

#include "nodes/sparcle/testing/functional_machine.h"

namespace weir::nodes::sparcle::testing {

/// True if qemu-system-sparc 7.2 executes this word, in this state, differently from SPARC or
/// Sparcle. The function's body is the list of differences. Other tests of nodes/sparcle cover such
/// words.
///
/// One difference is independent of the word: without its MMU, qemu's leon3 takes no trap outside
/// memory. Outside memory leon3 loads 0, ignores stores, and executes 0. The MMU of qemu's leon3 is
/// therefore on (memory_map.h).
[[nodiscard]] bool qemu_differs(const IntegerUnit& unit, const BigEndianMemory& memory,
                                std::uint32_t word);

}  // namespace weir::nodes::sparcle::testing
