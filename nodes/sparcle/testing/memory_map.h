#pragma once

#include <array>
#include <cstdint>

#include "nodes/sparcle/testing/functional_machine.h"

namespace weir::nodes::sparcle::testing {

/// Memory layout of the machine for random programs. Nothing outside is mapped.
///
/// A program begins at kBoot, which turns on the MMU of qemu's leon3 and jumps to kEntry. The MMU
/// maps exactly this memory, one to one, for every use. An access outside memory therefore traps in
/// qemu as well.
struct MemoryMap {
    static constexpr std::uint32_t kBase = 0x40000000;
    static constexpr std::uint32_t kBytes = 0x100000;

    /// Trap table whose handlers of window traps make every window valid, as if there were no
    /// frames.
    static constexpr std::uint32_t kPlainTable = kBase;
    /// Trap table with the window handlers of a runtime (firmware/sparcle/traps.S), which move
    /// frames between the windows and the stack.
    static constexpr std::uint32_t kRuntimeTable = kBase + 0x1000;
    static constexpr std::array<std::uint32_t, 2> kTrapTables = {kPlainTable, kRuntimeTable};

    /// Software traps from this number on return to supervisor mode; the others restore the mode
    /// before the trap.
    static constexpr unsigned kSupervisorTraps = 0x60;

    static constexpr std::uint32_t kBoot = kBase + 0x3800;
    static constexpr std::uint32_t kData = kBase + 0x10000;
    static constexpr std::uint32_t kDataBytes = 0x2000;
    static constexpr std::uint32_t kStack = kBase + 0x14000;
    static constexpr std::uint32_t kStackBytes = 0x2000;
    static constexpr std::uint32_t kEntry = kBase + 0x20000;

    static constexpr std::uint32_t kTrapBaseBits = 0xfffff000;
    static constexpr std::uint32_t kTrapTypeBits = 0xff0;

    static constexpr bool has(std::uint32_t address) { return address - kBase < kBytes; }
};

/// Writes the initial memory: trap tables, handlers, the MMU's tables, and kBoot.
void write_machine_image(BigEndianMemory& image);

}  // namespace weir::nodes::sparcle::testing
