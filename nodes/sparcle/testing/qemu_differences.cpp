#include "nodes/sparcle/testing/qemu_differences.h"

#include <algorithm>
#include <array>
#include <bit>

#include "nodes/sparcle/testing/memory_map.h"

namespace weir::nodes::sparcle::testing {

namespace {

constexpr std::uint32_t kFsrTrapKind = 0x1c000;
constexpr std::uint32_t kFsrIeee754 = 0x4000;
constexpr std::uint32_t kFsrEnabledTraps = 0x0f800000;
constexpr std::uint32_t kFsrCurrent = 0x1f;
constexpr std::uint32_t kFsrNonstandard = 1U << 22;
constexpr unsigned kCasa = 0x3c;

// Operations of both, including those of quadruple precision that qemu reports as missing.
constexpr std::array<unsigned, 24> kFloatOperations = {
    kFmovs, kFnegs, kFabss, kFsqrts, kFsqrtd, kFadds,  kFaddd,  kFsubs,
    kFsubd, kFmuls, kFmuld, kFdivs,  kFdivd,  kFsmuld, kFitos,  kFdtos,
    kFitod, kFstod, kFstoi, kFdtoi,  kFcmps,  kFcmpd,  kFcmpes, kFcmped};
constexpr std::array<unsigned, 4> kQuadOperations = {0x043, 0x047, 0x04b, 0x02b};

/// Differences in one state of the unit.
class Differences {
  public:
    Differences(const IntegerUnit& unit, const BigEndianMemory& memory)
        : unit_(unit), memory_(memory) {}

    [[nodiscard]] bool operates_otherwise(Instruction instruction) const;
    [[nodiscard]] bool accesses_otherwise(Instruction instruction) const;

  private:
    [[nodiscard]] bool computes_otherwise(Instruction instruction) const;
    [[nodiscard]] std::uint32_t second_operand(Instruction instruction) const;
    [[nodiscard]] bool is_single_nan(unsigned number) const;
    [[nodiscard]] bool is_double_nan(unsigned number) const;

    const IntegerUnit& unit_;
    const BigEndianMemory& memory_;
};

std::uint32_t Differences::second_operand(Instruction instruction) const {
    return instruction.immediate() ? instruction.simm13() : unit_.reg(instruction.rs2());
}

bool Differences::is_single_nan(unsigned number) const {
    return (unit_.f(number) & 0x7fffffff) > 0x7f800000;
}

bool Differences::is_double_nan(unsigned number) const {
    const std::uint32_t high = unit_.f(number & ~1U) & 0x7fffffff;
    return high > 0x7ff00000 || (high == 0x7ff00000 && unit_.f(number | 1U) != 0);
}

bool Differences::operates_otherwise(Instruction instruction) const {
    const std::uint32_t second = second_operand(instruction);
    const std::uint32_t first = unit_.reg(instruction.rs1());
    switch (instruction.op3()) {
        // Sparcle's own instructions.
        case kCpop1:
            return instruction.opf() <= SPARCLE_IPICST_DISCARD;
        // Ancillary state registers, which SPARC leaves to the implementation: qemu reads Y, or
        // ignores them.
        case kRdy:
            return instruction.rs1() != 0 && (instruction.rs1() != 15 || instruction.rd() != 0);
        case kWry:
            return instruction.rd() != 0;
        // qemu's PSR lacks Sparcle's full/empty bit.
        case kWrpsr:
            return ((first ^ second) & (SPARCLE_PSR_FULL | SPARCLE_PSR_ABOVE_FULL)) ==
                   SPARCLE_PSR_FULL;
        // qemu writes TBR.tt, too.
        case kWrtbr:
            return ((first ^ second) & ~MemoryMap::kTrapBaseBits) !=
                   (unit_.tbr() & MemoryMap::kTrapTypeBits);
        // qemu checks the address before ET, and takes another trap.
        case kRettOp3:
            return unit_.traps_enabled() && ((first + second) & 3) != 0;
        // qemu writes rd although the instruction traps.
        case kJmplOp3:
            return instruction.rd() != 0 && ((first + second) & 3) != 0;
        // qemu leaves the sum of a Ticc's two registers in the first of them.
        case kTiccOp3:
            return !instruction.immediate() && instruction.rs1() != 0 && second != 0;
        case kFpop1:
        case kFpop2:
            break;
        default:
            return false;
    }
    return computes_otherwise(instruction);
}

bool Differences::computes_otherwise(Instruction instruction) const {
    // Operations without a definition are illegal instructions in qemu, not unimplemented FPops.
    // Operations under the comparisons' op3, and comparisons under the operations' op3, are illegal
    // instructions in qemu too.
    const bool compares = instruction.opf() >= kFcmps && instruction.opf() <= kFcmped;
    if (compares != (instruction.op3() == kFpop2)) {
        return true;
    }
    IntegerUnit after = unit_;
    const bool traps = after.execute(instruction.word) == StepEnd::kTrap &&
                       after.trap_type() == kTrapFloatException;
    if (traps && (after.fsr() & kFsrTrapKind) == kFsrIeee754) {
        // Computes the exceptions that the operation raises, with traps disabled.
        after = unit_;
        after.set_fsr(unit_.fsr() & ~kFsrEnabledTraps);
        after.execute(instruction.word);
        // qemu leaves all exceptions in cexc, not only the one that traps; and an exact tiny result
        // is no underflow.
        if (std::popcount(after.fsr() & kFsrCurrent) != 1) {
            return true;
        }
        // qemu writes a double result although the operation traps.
        if (after.f(instruction.rd() & ~1U) != unit_.f(instruction.rd() & ~1U) ||
            after.f(instruction.rd() | 1U) != unit_.f(instruction.rd() | 1U)) {
            return (instruction.opf() & 3) == 2 || instruction.opf() == kFsmuld ||
                   instruction.opf() == kFstod;
        }
    }
    switch (instruction.opf()) {
        // qemu leaves cexc and ftt unchanged.
        case kFmovs:
        case kFnegs:
        case kFabss:
        case kFitod:
            return (unit_.fsr() & (kFsrTrapKind | kFsrCurrent)) != 0;
        // qemu leaves cexc and ftt unchanged, and raises nothing for a signaling NaN.
        case kFstod:
            return (unit_.fsr() & (kFsrTrapKind | kFsrCurrent)) != 0 ||
                   is_single_nan(instruction.rs2());
        // For two NaNs qemu returns the NaN that an x87 would return.
        case kFadds:
        case kFsubs:
        case kFmuls:
        case kFdivs:
        case kFsmuld:
            return is_single_nan(instruction.rs1()) && is_single_nan(instruction.rs2());
        case kFaddd:
        case kFsubd:
        case kFmuld:
        case kFdivd:
            return is_double_nan(instruction.rs1()) && is_double_nan(instruction.rs2());
        // qemu gives the largest integer for a NaN of either sign.
        case kFstoi:
            return is_single_nan(instruction.rs2()) && unit_.f(instruction.rs2()) >> 31 != 0;
        case kFdtoi:
            return is_double_nan(instruction.rs2()) && unit_.f(instruction.rs2() & ~1U) >> 31 != 0;
        default:
            break;
    }
    if (std::ranges::find(kQuadOperations, instruction.opf()) != kQuadOperations.end()) {
        // qemu clears cexc, although nothing was computed.
        return (unit_.fsr() & kFsrCurrent) != 0;
    }
    return std::ranges::find(kFloatOperations, instruction.opf()) == kFloatOperations.end();
}

bool Differences::accesses_otherwise(Instruction instruction) const {
    const unsigned op3 = instruction.op3();
    const std::uint32_t address = unit_.reg(instruction.rs1()) + second_operand(instruction);
    switch (op3) {
        // qemu accepts an address aligned to a word.
        case kLddf:
        case kStdf:
            return (address & 7) == 4;
        // qemu leaves ftt unchanged.
        case kStfsr:
            return (unit_.fsr() & kFsrTrapKind) != 0;
        // qemu has FSR.NS, a nonstandard mode.
        case kLdfsr:
            return memory_.has(address, 4) && (memory_.word(address) & kFsrNonstandard) != 0;
        // qemu checks EF before S, and takes another trap.
        case kStdfq:
        case kStdcq:
            return !unit_.supervisor();
        // leon3 has CASA, from V9. op3 0x22 is in no manual, and is fp_exception in qemu.
        case kCasa:
        case kLdfsr + 1:
            return true;
        default:
            break;
    }
    if (op3 >= kLdf || (op3 & kAlternate) == 0 || instruction.immediate()) {
        return false;
    }
    // qemu checks the register's number before S, and takes another trap.
    const unsigned plain = op3 & ~unsigned{kAlternate};
    if ((plain == kLdd || plain == kStd) && (instruction.rd() & 1) != 0 && !unit_.supervisor()) {
        return true;
    }
    // Spaces of Sparcle, of leon3 or of neither. The only instruction space that qemu has is the
    // supervisor's, for loads.
    const bool loads = plain <= kLdd || plain == kLdsb || plain == kLdsh;
    const unsigned asi = instruction.asi();
    if (asi == SPARCLE_ASI_USER_DATA) {
        // leon3 allows user mode the user's data space.
        return !unit_.supervisor();
    }
    if (asi == SPARCLE_ASI_SUPERVISOR_INSTRUCTION && loads) {
        // For a load outside memory from the supervisor's instructions, qemu takes the trap of a
        // fetch.
        return !memory_.has(address, 1);
    }
    return asi != SPARCLE_ASI_SUPERVISOR_DATA;
}

}  // namespace

bool qemu_differs(const IntegerUnit& unit, const BigEndianMemory& memory, std::uint32_t word) {
    const Instruction instruction{word};
    const Differences differences(unit, memory);
    if (instruction.op() == 2) {
        return differences.operates_otherwise(instruction);
    }
    if (instruction.op() == 0 && instruction.op2() == kCbccc) {
        return instruction.condition() == kCoprocessorSays0 ||
               instruction.condition() == kCoprocessorSays1;
    }
    return instruction.op() == 3 && differences.accesses_otherwise(instruction);
}

}  // namespace weir::nodes::sparcle::testing
