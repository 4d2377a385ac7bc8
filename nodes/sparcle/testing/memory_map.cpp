#include "nodes/sparcle/testing/memory_map.h"

#include <initializer_list>

#include "nodes/sparcle/testing/assembler.h"

namespace weir::nodes::sparcle::testing {

namespace {

constexpr std::uint32_t kToSupervisor = MemoryMap::kBase + 0x2000;
constexpr std::uint32_t kToSupervisorOfRuntime = MemoryMap::kBase + 0x2040;
constexpr std::uint32_t kOverflow = MemoryMap::kBase + 0x2080;
constexpr std::uint32_t kUnderflow = MemoryMap::kBase + 0x2100;

// The MMU's tables (V8, Appendix H): a table of contexts, then entries of 16 MiB and of 256 KiB.
constexpr std::uint32_t kContexts = MemoryMap::kBase + 0x3000;
constexpr std::uint32_t kLevel1 = MemoryMap::kBase + 0x3400;
constexpr std::uint32_t kLevel2 = MemoryMap::kBase + 0x3100;
constexpr std::uint32_t kLevel2Bytes = 0x40000;
// Bits of an entry: its kind; all access rights; and the MMU's marks of use. The marks are set from
// the start, so that the MMU does not change the tables.
constexpr std::uint32_t kIsTable = 1;
constexpr std::uint32_t kIsPage = 2;
constexpr std::uint32_t kAllAccesses = 3U << 2;
constexpr std::uint32_t kReferencedAndModified = 3U << 5;

constexpr unsigned kMmuRegisters = 0x19;  // leon3's address space for the MMU's registers
constexpr std::int32_t kContextTablePointer = 0x100;

constexpr unsigned kBranchAlways = 8;

void write_words(BigEndianMemory& image, std::uint32_t address,
                 std::initializer_list<std::uint32_t> words) {
    for (const std::uint32_t word : words) {
        image.set_word(address, word);
        address += 4;
    }
}

constexpr std::uint32_t jump(unsigned rs1, std::int32_t offset) {
    return operation_immediate(kJmplOp3, 0, rs1, offset);
}
constexpr std::uint32_t rett(unsigned rs1, std::int32_t offset) {
    return operation_immediate(kRettOp3, 0, rs1, offset);
}
constexpr std::uint32_t go(std::uint32_t from, std::uint32_t to) {
    return branch(kBicc, kBranchAlways, false, static_cast<std::int32_t>(to - from) / 4);
}
constexpr std::uint32_t kMakeAllValid = operation_immediate(kWrwim, 0, g(0), 0);
constexpr std::int32_t kOtherWindows = RegisterWindows::kWindows - 1;

// Trap handlers save TBR in l3 and return behind the instruction; window traps return to the
// instruction itself. A fetch outside memory returns to behind its call.
void write_entry(BigEndianMemory& image, std::uint32_t table, unsigned type) {
    const std::uint32_t entry = table + type * 16;
    const bool is_runtime = table == MemoryMap::kRuntimeTable;
    if (type >= (kTrapInstruction | MemoryMap::kSupervisorTraps)) {
        write_words(image, entry,
                    {operation(kRdpsr, l(0), 0, 0),
                     go(entry + 4, is_runtime ? kToSupervisorOfRuntime : kToSupervisor),
                     operation_immediate(kOr, l(0), l(0), kPsrPrevious), kNop});
        return;
    }
    if (is_runtime && type == kTrapWindowOverflow) {
        write_words(
            image, entry,
            {operation(kRdwim, l(3), 0, 0), operation_immediate(kSrl, g(3), l(3), 1),
             go(entry + 8, kOverflow), operation_immediate(kSll, l(3), l(3), kOtherWindows)});
        return;
    }
    if (is_runtime && type == kTrapWindowUnderflow) {
        write_words(
            image, entry,
            {operation(kRdwim, l(3), 0, 0), operation_immediate(kSll, g(3), l(3), 1),
             go(entry + 8, kUnderflow), operation_immediate(kSrl, l(3), l(3), kOtherWindows)});
        return;
    }
    const bool again = type == kTrapWindowOverflow || type == kTrapWindowUnderflow;
    const bool fetches = type == kTrapInstructionAccess;
    write_words(image, entry,
                {operation(kRdtbr, l(3), 0, 0), is_runtime ? kNop : kMakeAllValid,
                 fetches ? jump(i(7), 8) : jump(again ? l(1) : l(2), 0),
                 fetches ? rett(i(7), 12) : rett(l(2), again ? 0 : 4)});
}

// Stores the current window's frame to the stack, or loads it: l0 to l7, then i0 to i7.
std::uint32_t move_frame(BigEndianMemory& image, std::uint32_t address, unsigned op3) {
    for (unsigned pair = 0; pair < 16; pair += 2) {
        image.set_word(address, access(op3, l(pair), o(6), static_cast<std::int32_t>(pair * 4)));
        address += 4;
    }
    return address;
}

void write_runtime_handlers(BigEndianMemory& image) {
    constexpr std::uint32_t kSaveOnly = operation(kSave, g(0), g(0), g(0));
    constexpr std::uint32_t kRestoreOnly = operation(kRestore, g(0), g(0), g(0));
    constexpr std::uint32_t kRotated = operation(kOr, g(3), g(3), l(3));
    constexpr std::uint32_t kMark = operation(kWrwim, 0, g(3), g(0));
    write_words(image, kOverflow, {kRotated, kSaveOnly, kMark});
    std::uint32_t rest = move_frame(image, kOverflow + 12, kStd);
    write_words(image, rest, {kRestoreOnly, jump(l(1), 0), rett(l(2), 0)});

    write_words(image, kUnderflow, {kRotated, kMark, kNop, kNop, kNop, kRestoreOnly, kRestoreOnly});
    rest = move_frame(image, kUnderflow + 28, kLdd);
    write_words(image, rest, {kSaveOnly, kSaveOnly, jump(l(1), 0), rett(l(2), 0)});
}

constexpr std::uint32_t entry_of(std::uint32_t address) { return address >> 4; }

void write_mmu_tables(BigEndianMemory& image) {
    image.set_word(kContexts, entry_of(kLevel1) | kIsTable);
    image.set_word(kLevel1 + (MemoryMap::kBase >> 24) * 4, entry_of(kLevel2) | kIsTable);
    for (std::uint32_t offset = 0; offset < MemoryMap::kBytes; offset += kLevel2Bytes) {
        image.set_word(kLevel2 + offset / kLevel2Bytes * 4, entry_of(MemoryMap::kBase + offset) |
                                                                kReferencedAndModified |
                                                                kAllAccesses | kIsPage);
    }
}

// Keeps all registers but %g1 at their initial 0.
void write_boot(BigEndianMemory& image) {
    constexpr std::uint32_t kPointer = entry_of(kContexts);
    write_words(
        image, MemoryMap::kBoot,
        {sethi(g(1), kPointer),
         operation_immediate(kOr, g(1), g(1), static_cast<std::int32_t>(kPointer & 0x3ff)),
         operation_immediate(kOr, g(2), g(0), kContextTablePointer),
         alternate(kSt, g(1), g(2), g(0), kMmuRegisters), operation_immediate(kOr, g(2), g(0), 1),
         alternate(kSt, g(2), g(0), g(0), kMmuRegisters), operation_immediate(kOr, g(2), g(0), 0),
         sethi(g(1), MemoryMap::kEntry), jump(g(1), 0), kNop});
}

}  // namespace

void write_machine_image(BigEndianMemory& image) {
    for (const std::uint32_t table : MemoryMap::kTrapTables) {
        for (unsigned type = 0; type < 256; ++type) {
            write_entry(image, table, type);
        }
    }
    for (const bool is_runtime : {false, true}) {
        write_words(image, is_runtime ? kToSupervisorOfRuntime : kToSupervisor,
                    {operation_immediate(kWrpsr, 0, l(0), 0), is_runtime ? kNop : kMakeAllValid,
                     jump(l(2), 0), rett(l(2), 4)});
    }
    write_runtime_handlers(image);
    write_mmu_tables(image);
    write_boot(image);
}

}  // namespace weir::nodes::sparcle::testing
