#include "nodes/sparcle/testing/random_program.h"

#include <algorithm>
#include <bit>

#include "nodes/sparcle/testing/assembler.h"

namespace weir::nodes::sparcle::testing {

namespace {

constexpr std::uint32_t kTrapBaseBits = 0xfffff000;
constexpr std::uint32_t kTrapTypeBits = 0xff0;

constexpr std::uint32_t kFsrTrapKind = 0x1c000;
constexpr std::uint32_t kFsrIeee754 = 0x4000;
constexpr std::uint32_t kFsrEnabledTraps = 0x0f800000;
constexpr std::uint32_t kFsrCurrent = 0x1f;
constexpr std::uint32_t kFarthest = 0x80;
constexpr std::uint32_t kFsrNonstandard = 1U << 22;
constexpr unsigned kCasa = 0x3c;

constexpr std::array<unsigned, 25> kFloatOperations = {
    kFmovs, kFnegs, kFabss, kFsqrts, kFsqrtd, kFadds,  kFaddd, kFsubs, kFsubd,
    kFmuls, kFmuld, kFdivs, kFdivd,  kFsmuld, kFitos,  kFdtos, kFitod, kFstod,
    kFstoi, kFdtoi, kFcmps, kFcmpd,  kFcmpes, kFcmped, kFaddd};
constexpr std::array<unsigned, 4> kQuadOperations = {0x043, 0x047, 0x04b, 0x02b};

}  // namespace

RandomProgram::RandomProgram(std::uint64_t seed, std::uint64_t steps)
    : random_(seed, hw::NodeId(0), "sparcle program"),
      image_(kMemoryBase, kMemoryBytes),
      memory_(kMemoryBase, kMemoryBytes),
      unit_(unit_at_entry()) {
    write_trap_tables();
    write_data();
    memory_ = image_;
    write_prologue();
    write_random_instructions(steps);
    write_end();
}

IntegerUnit RandomProgram::unit_at_entry() {
    IntegerUnit unit(options());
    unit.reset();
    unit.set_pc(kEntry, kEntry + 4);
    unit.set_psr(kPsrSupervisor | kPsrPrevious);
    unit.set_wim(1);
    unit.set_reg(o(6), kMemoryBase + kMemoryBytes);
    // The program that jumped here, from PROM, needs a register for that.
    unit.set_reg(g(1), kEntry);
    return unit;
}

// Traps leave TBR in l3 and every window valid, and return behind the instruction; those of windows
// to the instruction itself. Some software traps return to supervisor mode.
void RandomProgram::write_trap_tables() {
    for (const std::uint32_t table : kTrapTables) {
        for (unsigned type = 0; type < 256; ++type) {
            const std::uint32_t entry = table + type * 16;
            if (type >= (kTrapInstruction | kSupervisorTraps)) {
                image_.set_word(entry, operation(kRdpsr, l(0), 0, 0));
                image_.set_word(entry + 4,
                                branch(kBicc, 8, false,
                                       static_cast<std::int32_t>(kToSupervisor - entry - 4) / 4));
                image_.set_word(entry + 8, operation_immediate(kOr, l(0), l(0), kPsrPrevious));
                continue;
            }
            const bool again = type == kTrapWindowOverflow || type == kTrapWindowUnderflow;
            image_.set_word(entry, operation(kRdtbr, l(3), 0, 0));
            image_.set_word(entry + 4, operation_immediate(kWrwim, 0, 0, 0));
            image_.set_word(entry + 8, operation_immediate(kJmplOp3, 0, again ? l(1) : l(2), 0));
            image_.set_word(entry + 12, operation_immediate(kRettOp3, 0, l(2), again ? 0 : 4));
        }
    }
    image_.set_word(kToSupervisor, operation_immediate(kWrpsr, 0, l(0), 0));
    image_.set_word(kToSupervisor + 4, operation_immediate(kWrwim, 0, 0, 0));
    image_.set_word(kToSupervisor + 8, operation_immediate(kJmplOp3, 0, l(2), 0));
    image_.set_word(kToSupervisor + 12, operation_immediate(kRettOp3, 0, l(2), 4));
}

std::uint32_t RandomProgram::any_value() {
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
            // Near 1, in single or double precision.
            return (one_in(2) ? 0x3f000000U : 0x3fe00000U) +
                   static_cast<std::uint32_t>(below(0x1000000)) + (one_in(2) ? 0x80000000U : 0);
        case 4:
            return static_cast<std::uint32_t>(random_.next()) & 0xfffffffc;
        default:
            return kTelling[below(kTelling.size())];
    }
}

void RandomProgram::write_data() {
    for (std::uint32_t offset = 0; offset < kDataBytes; offset += 4) {
        image_.set_word(kData + offset, any_value());
    }
}

/// At the highest address, and executes it.
void RandomProgram::emit(std::uint32_t word) {
    highest_ = unit_.pc();
    image_.set_word(highest_, word);
    memory_.set_word(highest_, word);
    step(unit_, memory_, word);
}

void RandomProgram::write_prologue() {
    const auto set = [&](unsigned rd, std::uint32_t value) {
        emit(sethi(rd, value));
        emit(operation_immediate(kOr, rd, rd, static_cast<std::int32_t>(value & 0x3ff)));
    };
    set(g(1), kTrapTables[0]);
    emit(operation_immediate(kWrtbr, 0, g(1), 0));
    emit(operation_immediate(kWrwim, 0, 0, 0));
    for (unsigned window = 0; window < RegisterWindows::kWindows; ++window) {
        const auto psr = static_cast<std::int32_t>(kPsrFloat | kPsrSupervisor | window);
        emit(operation_immediate(kWrpsr, 0, 0, psr));
        for (unsigned rd = window == 0 ? 1 : 8; rd < 24; ++rd) {
            set(rd, any_value());
        }
    }
    set(g(1), kData);
    for (unsigned rd = 0; rd < 32; rd += 2) {
        emit(access(kLddf, rd, g(1), static_cast<std::int32_t>(below(512) * 8)));
    }
    emit(operation_immediate(
        kWrpsr, 0, 0,
        static_cast<std::int32_t>(kPsrFloat | kPsrSupervisor | kPsrTraps | below(8))));
}

// Handlers are there already, and so is what a window trap's handler returns to. Annulled words are
// never looked at.
void RandomProgram::write_random_instructions(std::uint64_t steps) {
    for (std::uint64_t done = 0; done < steps; ++done) {
        if (unit_.next_is_annulled() || unit_.pc() <= highest_) {
            if (unit_.pc() > highest_) {
                highest_ = unit_.pc();
                const auto word = static_cast<std::uint32_t>(random_.next());
                image_.set_word(highest_, word);
                memory_.set_word(highest_, word);
            }
            step(unit_, memory_, memory_.word(unit_.pc()));
            continue;
        }
        choose();
    }
}

void RandomProgram::run_to_code() {
    while (unit_.pc() <= highest_ || unit_.next_is_annulled()) {
        step(unit_, memory_, memory_.word(unit_.pc()));
    }
}

// Stores every window. qemu's leon3 ends at a `ta 0` when traps are disabled.
void RandomProgram::write_end() {
    const auto quiet = static_cast<std::int32_t>(kPsrSupervisor);
    run_to_code();
    // What a branch leads to is where the end goes on.
    while (unit_.npc() != unit_.pc() + 4) {
        emit(kNop);
        run_to_code();
    }
    if (!unit_.supervisor()) {
        emit(operation_immediate(kTiccOp3, 8, 0, kSupervisorTraps));
        run_to_code();
    }
    for (unsigned window = 0; window < RegisterWindows::kWindows; ++window) {
        emit(operation_immediate(kWrpsr, 0, 0, quiet | static_cast<std::int32_t>(window)));
        emit(sethi(g(1), kData));
        for (unsigned rd = 8; rd < 24; rd += 2) {
            emit(access(kStd, rd, g(1), static_cast<std::int32_t>(window * 64 + (rd - 8) * 4)));
        }
    }
    emit(operation_immediate(kTiccOp3, 8, 0, 0));
}

void RandomProgram::choose() {
    while (!accepted(draw())) {
    }
}

bool RandomProgram::accepted(std::uint32_t word) {
    IntegerUnit after = unit_;
    StepEnd end = after.execute(word);
    if (end == StepEnd::kMemory) {
        const MemoryRequest& request = after.request();
        if (request.address - kData > kDataBytes - request.bytes) {
            return false;
        }
        // A store need not be tried.
        const bool loads = request.kind != MemoryRequest::Kind::kStore;
        after.complete(loads ? memory_.load(request.address, request.bytes) : 0);
        end = StepEnd::kDone;
    }
    Step result{Step::End::kDone, 0};
    std::uint32_t pc = after.pc();
    std::uint32_t npc = after.npc();
    if (end == StepEnd::kTrap) {
        result = {Step::End::kTrap, after.trap_type()};
        if (!after.take_trap(after.trap_type())) {
            return false;
        }
        // Where the handler returns to.
        pc = npc;
        npc = pc + 4;
        const bool ordinary =
            result.trap_type >= kTrapInstruction || result.trap_type == kTrapWindowOverflow ||
            result.trap_type == kTrapWindowUnderflow || result.trap_type == kTrapFloatException ||
            result.trap_type == kTrapTagOverflow;
        if (!ordinary && !one_in(4)) {
            return false;
        }
    }
    const std::uint32_t reached = std::max(highest_, unit_.pc());
    // Only forward, so that no instruction is met again in another state, and not far.
    if (pc <= reached || npc <= pc || npc > reached + kFarthest) {
        return false;
    }
    // In user mode with traps disabled nothing but error mode would lead out.
    if (!after.traps_enabled() && !after.supervisor()) {
        return false;
    }
    if (std::ranges::find(kTrapTables, after.tbr() & kTrapBaseBits) == kTrapTables.end()) {
        return false;
    }
    if (qemu_differs(word)) {
        return false;
    }
    highest_ = unit_.pc();
    image_.set_word(highest_, word);
    memory_.set_word(highest_, word);
    count(word, step(unit_, memory_, word));
    return true;
}

bool RandomProgram::qemu_differs(std::uint32_t word) const {
    const Instruction instruction{word};
    if (instruction.op() == 2) {
        return qemu_operates_otherwise(instruction);
    }
    return instruction.op() == 3 && qemu_accesses_otherwise(instruction);
}

std::uint32_t RandomProgram::second_operand(Instruction instruction) const {
    return instruction.immediate() ? instruction.simm13() : unit_.reg(instruction.rs2());
}

bool RandomProgram::is_single_nan(unsigned number) const {
    return (unit_.f(number) & 0x7fffffff) > 0x7f800000;
}

bool RandomProgram::is_double_nan(unsigned number) const {
    const std::uint32_t high = unit_.f(number & ~1U) & 0x7fffffff;
    return high > 0x7ff00000 || (high == 0x7ff00000 && unit_.f(number | 1U) != 0);
}

bool RandomProgram::qemu_operates_otherwise(Instruction instruction) const {
    const std::uint32_t second = second_operand(instruction);
    const std::uint32_t first = unit_.reg(instruction.rs1());
    switch (instruction.op3()) {
        // Sparcle's own.
        case kCpop1:
            return instruction.opf() <= SPARCLE_IPICST_DISCARD;
        // Ancillary state registers, which SPARC leaves to the implementation: there Y, or nothing.
        case kRdy:
            return instruction.rs1() != 0 && (instruction.rs1() != 15 || instruction.rd() != 0);
        case kWry:
            return instruction.rd() != 0;
        // Writes TBR.tt too.
        case kWrtbr:
            return ((first ^ second) & ~kTrapBaseBits) != (unit_.tbr() & kTrapTypeBits);
        // Looks at the address before it looks at ET: another trap.
        case kRettOp3:
            return unit_.traps_enabled() && ((first + second) & 3) != 0;
        // Writes rd although it traps.
        case kJmplOp3:
            return instruction.rd() != 0 && ((first + second) & 3) != 0;
        // Leaves the sum of two registers in the first of them.
        case kTiccOp3:
            return !instruction.immediate() && instruction.rs1() != 0 && second != 0;
        case kFpop1:
        case kFpop2:
            break;
        default:
            return false;
    }
    return qemu_computes_otherwise(instruction);
}

bool RandomProgram::qemu_computes_otherwise(Instruction instruction) const {
    IntegerUnit after = unit_;
    const bool traps = after.execute(instruction.word) == StepEnd::kTrap &&
                       after.trap_type() == kTrapFloatException;
    if (traps && (after.fsr() & kFsrTrapKind) == kFsrIeee754) {
        // What it raises where nothing traps.
        after = unit_;
        after.set_fsr(unit_.fsr() & ~kFsrEnabledTraps);
        after.execute(instruction.word);
        // Leaves all of them in cexc, not the one that traps; and an exact tiny result is no
        // underflow.
        if (std::popcount(after.fsr() & kFsrCurrent) != 1) {
            return true;
        }
        // Writes the result although it traps, if it is a double.
        if (after.f(instruction.rd() & ~1U) != unit_.f(instruction.rd() & ~1U) ||
            after.f(instruction.rd() | 1U) != unit_.f(instruction.rd() | 1U)) {
            return (instruction.opf() & 3) == 2 || instruction.opf() == kFsmuld ||
                   instruction.opf() == kFstod;
        }
    }
    switch (instruction.opf()) {
        // Leave cexc and ftt.
        case kFmovs:
        case kFnegs:
        case kFabss:
        case kFitod:
            return (unit_.fsr() & (kFsrTrapKind | kFsrCurrent)) != 0;
        // The same, and raises nothing for a signaling NaN.
        case kFstod:
            return (unit_.fsr() & (kFsrTrapKind | kFsrCurrent)) != 0 ||
                   is_single_nan(instruction.rs2());
        // Of two NaNs returns what an x87 does, not what SPARC does.
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
        // Makes the largest integer of a NaN whatever its sign.
        case kFstoi:
            return is_single_nan(instruction.rs2()) && unit_.f(instruction.rs2()) >> 31 != 0;
        case kFdtoi:
            return is_double_nan(instruction.rs2()) && unit_.f(instruction.rs2() & ~1U) >> 31 != 0;
        default:
            break;
    }
    // What no manual has is an illegal instruction there, not an unimplemented FPop.
    const bool compares = instruction.opf() >= kFcmps && instruction.opf() <= kFcmped;
    if (compares != (instruction.op3() == kFpop2)) {
        return true;
    }
    if (std::ranges::find(kQuadOperations, instruction.opf()) != kQuadOperations.end()) {
        // Clears cexc, though nothing was computed.
        return (unit_.fsr() & kFsrCurrent) != 0;
    }
    return std::ranges::find(kFloatOperations, instruction.opf()) == kFloatOperations.end();
}

bool RandomProgram::qemu_accesses_otherwise(Instruction instruction) const {
    const unsigned op3 = instruction.op3();
    const std::uint32_t address = unit_.reg(instruction.rs1()) + second_operand(instruction);
    switch (op3) {
        // Are content with the address of a word.
        case kLddf:
        case kStdf:
            return (address & 7) == 4;
        // Leaves ftt.
        case kStfsr:
            return (unit_.fsr() & kFsrTrapKind) != 0;
        // Has FSR.NS, of a nonstandard mode.
        case kLdfsr:
            return memory_.has(address, 4) && (memory_.word(address) & kFsrNonstandard) != 0;
        // Looks at EF before it looks at S: another trap.
        case kStdfq:
        case kStdcq:
            return !unit_.supervisor();
        // leon3 has the first, of V9; the second, which is in no manual, is fp_exception.
        case kCasa:
        case kLdfsr + 1:
            return true;
        default:
            break;
    }
    if (op3 >= kLdf || (op3 & kAlternate) == 0 || instruction.immediate()) {
        return false;
    }
    // Looks at the register's number before it looks at S: another trap.
    const unsigned plain = op3 & ~unsigned{kAlternate};
    if ((plain == kLdd || plain == kStd) && (instruction.rd() & 1) != 0 && !unit_.supervisor()) {
        return true;
    }
    // Spaces of Sparcle, and spaces of leon3 or of nobody; and of instructions it has only the
    // supervisor's, to load from.
    const bool loads = plain <= kLdd || plain == kLdsb || plain == kLdsh;
    const unsigned asi = instruction.asi();
    if (asi == SPARCLE_ASI_USER_DATA) {
        // leon3 lets the user name its own space.
        return !unit_.supervisor();
    }
    return !(asi == SPARCLE_ASI_SUPERVISOR_DATA ||
             (asi == SPARCLE_ASI_SUPERVISOR_INSTRUCTION && loads));
}

void RandomProgram::count(std::uint32_t word, const Step& end) {
    const Instruction instruction{word};
    if (end.end == Step::End::kTrap) {
        ++covered_["trap " + std::to_string(end.trap_type < kTrapInstruction ? end.trap_type
                                                                             : kTrapInstruction)];
    }
    std::string name = "op " + std::to_string(instruction.op());
    if (instruction.op() == 0) {
        name += " op2 " + std::to_string(instruction.op2());
    } else if (instruction.op() > 1) {
        name += " op3 " + std::to_string(instruction.op3());
        if (instruction.op() == 2 && (instruction.op3() & ~1U) == kFpop1) {
            name += " opf " + std::to_string(instruction.opf());
        }
    }
    ++covered_[name];
}

// --- What to draw -------------------------------------------------------------------------------

std::uint32_t RandomProgram::any_operand2() {
    if (one_in(2)) {
        return static_cast<std::uint32_t>(below(256)) << 5 | any_register();
    }
    return 1U << 13 | static_cast<std::uint32_t>(below(one_in(2) ? 32 : 0x2000));
}

std::int32_t RandomProgram::forward_words() { return static_cast<std::int32_t>(below(12)) + 1; }

std::uint32_t RandomProgram::draw() {
    const std::uint64_t kind = below(100);
    if (!unit_.traps_enabled() && one_in(4)) {
        return one_in(2) ? draw_psr_write() : draw_jump(kRettOp3);
    }
    if (kind < 30) {
        return draw_arithmetic();
    }
    if (kind < 38) {
        return sethi(any_register(), any_value());
    }
    if (kind < 42) {
        return operation(one_in(2) ? kSave : kRestore, any_register(), any_register(), 0) |
               any_operand2();
    }
    if (kind < 46) {
        return draw_state_register();
    }
    if (kind < 60) {
        return draw_access(false);
    }
    if (kind < 68) {
        return draw_access(true);
    }
    if (kind < 78) {
        return draw_branch();
    }
    if (kind < 81) {
        return draw_jump(kJmplOp3);
    }
    if (kind < 83) {
        return draw_ticc();
    }
    if (kind < 98) {
        return draw_float();
    }
    return static_cast<std::uint32_t>(random_.next());
}

std::uint32_t RandomProgram::draw_arithmetic() {
    return operation(static_cast<unsigned>(below(0x28)), any_register(), any_register(), 0) |
           any_operand2();
}

std::uint32_t RandomProgram::draw_state_register() {
    switch (below(10)) {
        case 0:
            return operation(kRdy, any_register(), 0, 0);
        case 1:
            return operation(kRdpsr, any_register(), any_register(), 0);
        case 2:
            return operation(kRdwim, any_register(), any_register(), 0);
        case 3:
            return operation(kRdtbr, any_register(), any_register(), 0);
        case 4:
            return operation(kWry, 0, any_register(), 0) | any_operand2();
        case 5:
            return draw_psr_write();
        case 6:
        case 7:
            // One or two windows, or any.
            return one_in(4) ? operation(kWrwim, any_register(), any_register(), 0) | any_operand2()
                             : operation_immediate(
                                   kWrwim, any_register(), 0,
                                   static_cast<std::int32_t>(1U << below(8) | 1U << below(8)));
        case 8:
            return draw_trap_base_write();
        default:
            return operation(kFlush, 0, any_register(), 0) | any_operand2();
    }
}

std::uint32_t RandomProgram::draw_psr_write() {
    // In supervisor mode and with traps and floating point, mostly; CWP 8 and above is illegal.
    const std::uint64_t low = below(one_in(16) ? 32 : 8) | (one_in(8) ? 0 : kPsrTraps) |
                              (one_in(2) ? 0 : kPsrPrevious) | (one_in(4) ? 0 : kPsrSupervisor) |
                              below(16) << 8 | (one_in(6) ? 0 : kPsrFloat);
    const unsigned rs1 = any_register();
    const auto immediate = static_cast<std::int32_t>((low ^ unit_.reg(rs1)) & 0x1fff);
    return operation_immediate(kWrpsr, any_register(), rs1, immediate);
}

std::uint32_t RandomProgram::draw_trap_base_write() {
    const std::uint32_t table = kTrapTables[below(kTrapTables.size())];
    const std::uint32_t value = table | (unit_.tbr() & kTrapTypeBits);
    const unsigned first = any_register();
    for (unsigned k = 0; k < 32; ++k) {
        const unsigned rs1 = (first + k) % 32;
        if ((unit_.reg(rs1) & 0xfffff000) == table) {
            return operation_immediate(kWrtbr, any_register(), rs1,
                                       static_cast<std::int32_t>(value ^ unit_.reg(rs1)));
        }
    }
    return sethi(any_register(), table);
}

std::uint32_t RandomProgram::draw_access(bool is_float) {
    unsigned op3 = 0;
    if (is_float) {
        constexpr std::array<unsigned, 7> kFloat = {kLdf,  kLddf,  kLdfsr, kStf,
                                                    kStdf, kStfsr, kLdfsr};
        op3 = one_in(40) ? unsigned{kStdfq} : kFloat[below(kFloat.size())];
    } else {
        op3 = static_cast<unsigned>(below(16)) | (one_in(6) ? kAlternate : 0);
    }
    const bool alternate = !is_float && (op3 & kAlternate) != 0;
    const auto asi = static_cast<unsigned>(8 + below(4));
    const unsigned rd = any_register() & (one_in(8) ? 31 : 30);
    std::uint32_t address = kData + static_cast<std::uint32_t>(below(kDataBytes));
    address &= one_in(12) ? 0xffffffff : 0xfffffff8;
    const unsigned first = any_register();
    for (unsigned k = 0; k < 32; ++k) {
        const unsigned rs1 = (first + k) % 32;
        const std::uint32_t offset = address - unit_.reg(rs1);
        if (alternate || one_in(4)) {
            for (unsigned rs2 = 0; rs2 < 32; ++rs2) {
                const std::uint32_t sum = unit_.reg(rs1) + unit_.reg(rs2);
                if (sum - kData < kDataBytes && (one_in(3) || (sum & 7) == 0)) {
                    return alternate ? testing::alternate(op3, rd, rs1, rs2, asi) |
                                           (one_in(50) ? 1U << 13 : 0)
                                     : (access(op3, rd, rs1, 0) & ~(1U << 13)) | asi << 5 | rs2;
                }
            }
        } else if (offset + 0x1000 < 0x2000) {
            return access(op3, rd, rs1, static_cast<std::int32_t>(offset));
        }
    }
    return sethi(any_register(), address);
}

std::uint32_t RandomProgram::draw_branch() {
    if (one_in(10)) {
        return call(forward_words());
    }
    const unsigned op2 = one_in(4) ? kFbfcc : kBicc;
    return branch(op2, static_cast<unsigned>(below(16)), one_in(2), forward_words());
}

std::uint32_t RandomProgram::draw_jump(unsigned op3) {
    std::uint32_t target = unit_.npc() + 4 * static_cast<std::uint32_t>(forward_words());
    target += one_in(6) ? 1 + static_cast<std::uint32_t>(below(3)) : 0;
    const unsigned first = any_register();
    for (unsigned k = 0; k < 32; ++k) {
        const unsigned rs1 = (first + k) % 32;
        const std::uint32_t offset = target - unit_.reg(rs1);
        if (offset + 0x1000 < 0x2000) {
            return operation_immediate(op3, any_register(), rs1, static_cast<std::int32_t>(offset));
        }
    }
    return sethi(any_register(), target);
}

std::uint32_t RandomProgram::draw_ticc() {
    const auto condition = static_cast<unsigned>(below(16));
    if (!unit_.supervisor() && one_in(2)) {
        return operation_immediate(kTiccOp3, 8, 0,
                                   static_cast<std::int32_t>(kSupervisorTraps + below(32)));
    }
    return operation(kTiccOp3, condition, any_register(), 0) | any_operand2();
}

std::uint32_t RandomProgram::draw_float() {
    const unsigned opf = one_in(50) ? kQuadOperations[below(kQuadOperations.size())]
                                    : kFloatOperations[below(kFloatOperations.size())];
    const unsigned even = one_in(16) ? 31 : 30;
    return float_operation(opf, any_register() & even, any_register() & even,
                           any_register() & even);
}

}  // namespace weir::nodes::sparcle::testing
