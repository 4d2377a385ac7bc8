#include "nodes/sparcle/testing/random_instructions.h"

#include "nodes/sparcle/testing/assembler.h"

namespace weir::nodes::sparcle::testing {

unsigned RandomInstructions::any_target() {
    const unsigned number = any_register();
    const bool has_frame = number == kStackPointer || number == kFramePointer;
    return has_frame && !one_in(8) ? any_register() : number;
}

std::uint32_t RandomInstructions::any_value() {
    constexpr std::array<std::uint32_t, 28> kTelling = {
        0,          1,          2,          0xffffffff, 0x7fffffff, 0x80000000, 0x80000001,
        0x7ffffffe, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7f7fffff, 0x00800000,
        0x00000001, 0x007fffff, 0x7fc00000, 0x7f800001, 0xffc12345, 0x7ff00000, 0xfff00000,
        0x7fefffff, 0x00100000, 0x3ff00000, 0x7ff80000, 0x7ff00001, 0x41dfffff, 0xc1e00000};
    switch (below(6)) {
        case 0:
            return static_cast<std::uint32_t>(random_.next());
        case 1:
            return static_cast<std::uint32_t>(below(64)) - 32;
        case 2:
            return kTelling[below(kTelling.size())] + static_cast<std::uint32_t>(below(3)) - 1;
        case 3:
            // floats near 1, in single or double precision
            return (one_in(2) ? 0x3f000000U : 0x3fe00000U) +
                   static_cast<std::uint32_t>(below(0x1000000)) + (one_in(2) ? 0x80000000U : 0);
        case 4:
            return static_cast<std::uint32_t>(random_.next()) & 0xfffffffc;
        default:
            return kTelling[below(kTelling.size())];
    }
}

std::uint32_t RandomInstructions::any_operand2() {
    if (one_in(2)) {
        return static_cast<std::uint32_t>(below(256)) << 5 | any_register();
    }
    return 1U << 13 | static_cast<std::uint32_t>(below(one_in(2) ? 32 : 0x2000));
}

std::uint32_t RandomInstructions::any() {
    if (!unit_.traps_enabled() && one_in(4)) {
        return one_in(2) ? psr_write() : return_from_trap();
    }
    const std::uint64_t kind = below(100);
    if (kind < 30) {
        return arithmetic();
    }
    if (kind < 38) {
        return sethi(any_target(), any_value());
    }
    if (kind < 42) {
        return shift_window();
    }
    if (kind < 46) {
        return state_register();
    }
    if (kind < 60) {
        return access_of(any_access_op3());
    }
    if (kind < 68) {
        return access_of(any_float_access_op3());
    }
    if (kind < 78) {
        return any_branch();
    }
    if (kind < 81) {
        return jump(kJmplOp3);
    }
    if (kind < 83) {
        return ticc();
    }
    if (kind < 98) {
        return any_float();
    }
    return static_cast<std::uint32_t>(random_.next());
}

std::uint32_t RandomInstructions::plain() {
    const std::uint64_t kind = below(8);
    if (kind == 0) {
        return sethi(any_target(), any_value());
    }
    return kind < 3 ? any_float() : arithmetic();
}

std::uint32_t RandomInstructions::leading_to(Event event) {
    using Kind = Event::Kind;
    switch (event.kind) {
        case Kind::kTrap:
            return leading_to_trap(event.number);
        case Kind::kFormat2:
            return static_cast<std::uint32_t>(event.number) << 22 | any_register() << 25 |
                   static_cast<std::uint32_t>(forward_words());
        case Kind::kOperation:
            return operation_of(event.number);
        case Kind::kFpop1:
        case Kind::kFpop2:
            return with_floats(float_of(event.number));
        case Kind::kAccess:
            return access_of(event.number);
        case Kind::kBranchTaken:
        case Kind::kBranchPassed:
            return branch_by(kBicc, event.number);
        case Kind::kFloatBranchTaken:
        case Kind::kFloatBranchPassed:
            return with_floats(one_in(2) ? comparison() : branch_by(kFbfcc, event.number));
        default:
            return any();
    }
}

// Returns an instruction that leads to the trap, or that establishes the mode in which the trap can
// occur.
std::uint32_t RandomInstructions::leading_to_trap(unsigned type) {
    switch (type) {
        case kTrapIllegalInstruction:
            return 0;
        case kTrapPrivilegedInstruction:
            return unit_.supervisor() ? psr_write(kPsrSupervisor)
                                      : operation(kRdpsr, any_register(), 0, 0);
        case kTrapFloatDisabled:
            return unit_.supervisor() && one_in(2) ? psr_write(kPsrFloat) : any_float();
        case kTrapWindowOverflow:
        case kTrapWindowUnderflow:
            return one_in(4) ? wim_write() : shift_window();
        case kTrapAddressNotAligned:
            return access(kLd, any_register(), g(0), 2);
        case kTrapDataAccess:
            return access_outside_memory(kLd);
        case kTrapTagOverflow:
            return operation_immediate(kTaddccTv, any_target(), any_register(), 1);
        case kTrapCoprocessorDisabled:
            return operation(kCpop2, 0, 0, 0);
        case kTrapDivisionByZero:
            return operation(kUdiv, any_target(), any_register(), g(0));
        case kTrapInstruction:
            return ticc();
        default:
            return with_floats(any_float());
    }
}

// If floating point is disabled, returns a WRPSR that enables it instead.
std::uint32_t RandomInstructions::with_floats(std::uint32_t word) {
    const bool is_enabled = (unit_.psr() & kPsrFloat) != 0;
    return is_enabled || !unit_.supervisor() ? word : psr_write();
}

std::uint32_t RandomInstructions::arithmetic() {
    return operation_of(static_cast<unsigned>(below(0x28)));
}

std::uint32_t RandomInstructions::operation_of(unsigned op3) {
    switch (op3) {
        case kWrpsr:
            return psr_write();
        case kWrwim:
            return wim_write();
        case kWrtbr:
            return trap_base_write();
        case kJmplOp3:
        case kRettOp3:
            return jump(op3);
        case kTiccOp3:
            return ticc();
        case kRdy:
            return operation(kRdy, any_register(), 0, 0);
        default:
            return operation(op3, op3 == kWry ? 0 : any_target(), any_register(), 0) |
                   any_operand2();
    }
}

// Half of the frames are as compilers make them: below the old frame.
std::uint32_t RandomInstructions::shift_window() {
    if (one_in(4)) {
        return operation_immediate(kSave, kStackPointer, kStackPointer, -96);
    }
    if (one_in(3)) {
        return operation(kRestore, any_target(), any_register(), any_register());
    }
    return operation(one_in(2) ? kSave : kRestore, any_target(), any_register(), 0) |
           any_operand2();
}

std::uint32_t RandomInstructions::state_register() {
    constexpr std::array<unsigned, 10> kOp3 = {kRdy,   kRdpsr, kRdwim, kRdtbr, kWry,
                                               kWrpsr, kWrwim, kWrwim, kWrtbr, kFlush};
    return operation_of(kOp3[below(kOp3.size())]);
}

std::uint32_t RandomInstructions::wim_write() {
    if (one_in(4)) {
        return operation(kWrwim, any_register(), any_register(), 0) | any_operand2();
    }
    const std::uint64_t first = below(8);
    const std::uint64_t second = one_in(2) ? first : below(8);
    return operation_immediate(kWrwim, any_register(), 0,
                               static_cast<std::int32_t>(1U << first | 1U << second));
}

std::uint32_t RandomInstructions::psr_write(std::uint32_t without) {
    // CWP 8 and above is illegal.
    const std::uint64_t low = below(one_in(16) ? 32 : 8) | (one_in(8) ? 0 : kPsrTraps) |
                              (one_in(2) ? 0 : kPsrPrevious) | (one_in(4) ? 0 : kPsrSupervisor) |
                              below(16) << 8 | (one_in(6) ? 0 : kPsrFloat);
    const unsigned rs1 = any_register();
    const auto immediate =
        static_cast<std::int32_t>(((low & ~std::uint64_t{without}) ^ unit_.reg(rs1)) & 0x1fff);
    return operation_immediate(kWrpsr, any_register(), rs1, immediate);
}

std::uint32_t RandomInstructions::trap_base_write() {
    const std::uint32_t table = MemoryMap::kTrapTables[below(MemoryMap::kTrapTables.size())];
    const std::uint32_t value = table | (unit_.tbr() & MemoryMap::kTrapTypeBits);
    const unsigned first = any_register();
    for (unsigned k = 0; k < 32; ++k) {
        const unsigned rs1 = (first + k) % 32;
        if ((unit_.reg(rs1) & MemoryMap::kTrapBaseBits) == table) {
            return operation_immediate(kWrtbr, any_register(), rs1,
                                       static_cast<std::int32_t>(value ^ unit_.reg(rs1)));
        }
    }
    return sethi(any_target(), table);
}

unsigned RandomInstructions::any_access_op3() {
    return static_cast<unsigned>(below(16)) | (one_in(6) ? kAlternate : 0);
}

unsigned RandomInstructions::any_float_access_op3() {
    constexpr std::array<unsigned, 7> kFloat = {kLdf, kLddf, kLdfsr, kStf, kStdf, kStfsr, kLdfsr};
    return one_in(40) ? unsigned{kStdfq} : kFloat[below(kFloat.size())];
}

std::uint32_t RandomInstructions::access_of(unsigned op3) {
    if (one_in(48)) {
        return access_outside_memory(op3);
    }
    const bool alternate = op3 < kLdf && (op3 & kAlternate) != 0;
    const auto asi = static_cast<unsigned>(8 + below(4));
    const unsigned rd = any_target() & (one_in(8) ? 31 : 30);
    std::uint32_t address =
        MemoryMap::kData + static_cast<std::uint32_t>(below(MemoryMap::kDataBytes));
    address &= one_in(12) ? 0xffffffff : 0xfffffff8;
    const unsigned first = any_register();
    for (unsigned k = 0; k < 32; ++k) {
        const unsigned rs1 = (first + k) % 32;
        const std::uint32_t offset = address - unit_.reg(rs1);
        if (alternate || one_in(4)) {
            for (unsigned rs2 = 0; rs2 < 32; ++rs2) {
                const std::uint32_t sum = unit_.reg(rs1) + unit_.reg(rs2);
                if (sum - MemoryMap::kData < MemoryMap::kDataBytes &&
                    (one_in(3) || (sum & 7) == 0)) {
                    return alternate ? testing::alternate(op3, rd, rs1, rs2, asi) |
                                           (one_in(50) ? 1U << 13 : 0)
                                     : (access(op3, rd, rs1, 0) & ~(1U << 13)) | asi << 5 | rs2;
                }
            }
        } else if (offset + 0x1000 < 0x2000) {
            return access(op3, rd, rs1, static_cast<std::int32_t>(offset));
        }
    }
    return sethi(any_target(), address);
}

std::uint32_t RandomInstructions::access_outside_memory(unsigned op3) {
    const bool alternate = op3 < kLdf && (op3 & kAlternate) != 0;
    const unsigned rd = any_target() & 30;
    const unsigned first = any_register();
    for (unsigned k = 0; k < 32; ++k) {
        const unsigned rs1 = (first + k) % 32;
        const std::uint32_t base = unit_.reg(rs1);
        const std::uint32_t offset = (0 - base) & 7;
        if (MemoryMap::has(base + offset)) {
            continue;
        }
        if (!alternate) {
            return access(op3, rd, rs1, static_cast<std::int32_t>(offset));
        }
        if (offset == 0) {
            return testing::alternate(op3, rd, rs1, g(0), static_cast<unsigned>(8 + below(4)));
        }
    }
    return sethi(any_target(), any_value());
}

std::uint32_t RandomInstructions::branch_by(unsigned op2, unsigned condition) {
    return branch(op2, condition, one_in(2), forward_words());
}

std::uint32_t RandomInstructions::any_branch() {
    if (one_in(10)) {
        return call(forward_words());
    }
    return branch_by(one_in(4) ? kFbfcc : kBicc, static_cast<unsigned>(below(16)));
}

std::uint32_t RandomInstructions::jump(unsigned op3) {
    std::uint32_t target = unit_.npc() + 4 * static_cast<std::uint32_t>(forward_words());
    target += one_in(6) ? 1 + static_cast<std::uint32_t>(below(3)) : 0;
    const unsigned first = any_register();
    for (unsigned k = 0; k < 32; ++k) {
        const unsigned rs1 = (first + k) % 32;
        const std::uint32_t offset = target - unit_.reg(rs1);
        if (offset + 0x1000 < 0x2000) {
            return operation_immediate(op3, any_target(), rs1, static_cast<std::int32_t>(offset));
        }
    }
    return sethi(any_target(), target);
}

std::uint32_t RandomInstructions::ticc() {
    const auto condition = static_cast<unsigned>(below(16));
    if (!unit_.supervisor() && one_in(2)) {
        return operation_immediate(
            kTiccOp3, 8, 0, static_cast<std::int32_t>(MemoryMap::kSupervisorTraps + below(32)));
    }
    return operation(kTiccOp3, condition, any_register(), 0) | any_operand2();
}

std::uint32_t RandomInstructions::any_float() {
    constexpr std::array<unsigned, 29> kOperations = {
        kFmovs, kFnegs, kFabss,  kFsqrts, kFsqrtd, kFadds, kFaddd, kFsubs, kFsubd, kFmuls,
        kFmuld, kFdivs, kFdivd,  kFsmuld, kFitos,  kFdtos, kFitod, kFstod, kFstoi, kFdtoi,
        kFcmps, kFcmpd, kFcmpes, kFcmped, kFaddd,  0x043,  0x047,  0x04b,  0x02b};
    // The last four are of quadruple precision.
    return float_of(kOperations[below(one_in(12) ? kOperations.size() : kOperations.size() - 4)]);
}

std::uint32_t RandomInstructions::comparison() {
    constexpr std::array<unsigned, 4> kComparisons = {kFcmps, kFcmpd, kFcmpes, kFcmped};
    const unsigned first = any_register();
    return float_operation(kComparisons[below(kComparisons.size())], 0, first,
                           one_in(4) ? first : any_register());
}

std::uint32_t RandomInstructions::float_of(unsigned opf) {
    const unsigned even = one_in(16) ? 31 : 30;
    return float_operation(opf, any_register() & even, any_register() & even,
                           any_register() & even);
}

}  // namespace weir::nodes::sparcle::testing
