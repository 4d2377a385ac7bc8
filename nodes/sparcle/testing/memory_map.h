#pragma once

#include <array>
#include <cstdint>

#include "nodes/sparcle/testing/functional_machine.h"

namespace weir::nodes::sparcle::testing {

/// What lies where in the machine that random programs run on: all of its memory, and outside of
/// it nothing.
///
/// Such a program begins at kBoot, which turns the MMU of qemu's leon3 on and goes to kEntry. The
/// MMU maps exactly this memory, each address to itself and for every use. So an access outside
/// memory traps in qemu as well.
struct MemoryMap {
    static constexpr std::uint32_t kBase = 0x40000000;
    static constexpr std::uint32_t kBytes = 0x100000;

    /// Its handler of window traps makes every window valid, as if there were no frames.
    static constexpr std::uint32_t kPlainTable = kBase;
    /// Its handlers of window traps are a runtime's (firmware/sparcle/traps.S): they move frames
    /// between the windows and the stack.
    static constexpr std::uint32_t kRuntimeTable = kBase + 0x1000;
    static constexpr std::array<std::uint32_t, 2> kTrapTables = {kPlainTable, kRuntimeTable};

    /// Software traps from this number on return to supervisor mode; the others return to where
    /// they came from.
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

/// Writes what a random program finds: trap tables, handlers, the MMU's tables, and kBoot.
void write_machine_image(BigEndianMemory& image);

}  // namespace weir::nodes::sparcle::testing
