#pragma once

#include "nodes/sparcle/testing/functional_machine.h"

namespace weir::nodes::sparcle::testing {

/// Whether qemu-system-sparc 7.2 does otherwise than SPARC or Sparcle with this word, in this
/// state. The list is the function's body. The other tests of the folder above cover what it names.
///
/// Another difference is not of words: without its MMU qemu's leon3 takes no trap where there is no
/// memory. It loads 0 from there, stores nothing, and executes 0. So its MMU is on (memory_map.h).
[[nodiscard]] bool qemu_differs(const IntegerUnit& unit, const BigEndianMemory& memory,
                                std::uint32_t word);

}  // namespace weir::nodes::sparcle::testing
