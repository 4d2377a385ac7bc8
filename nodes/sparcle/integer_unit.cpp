#include "nodes/sparcle/integer_unit.h"

#include <array>
#include <limits>
#include <utility>

#include "hw/controller/controller_registers.h"

namespace weir::nodes::sparcle {

namespace {

// Bits of PSR.
constexpr unsigned kImplementationBit = 24;
constexpr unsigned kConditionsBit = 20;
constexpr std::uint32_t kEnableFloat = 1U << 12;
constexpr unsigned kInterruptLevelBit = 8;
constexpr std::uint32_t kSupervisor = 1U << 7;
constexpr std::uint32_t kPreviousSupervisor = 1U << 6;
constexpr std::uint32_t kEnableTraps = 1U << 5;
constexpr std::uint32_t kCurrentWindow = 0x1f;

// Fields of TBR.
constexpr std::uint32_t kTrapBase = 0xfffff000;
constexpr unsigned kTrapTypeBit = 4;

/// For each condition of FBfcc, the values of fcc (0 equal, 1 less, 2 greater, 3 unordered) that
/// satisfy it, a bit each.
constexpr std::array<std::uint8_t, 16> kFloatConditionHolds = {
    0b0000,  // N
    0b1110,  // NE: less, greater or unordered
    0b0110,  // LG
    0b1010,  // UL
    0b0010,  // L
    0b1100,  // UG
    0b0100,  // G
    0b1000,  // U
    0b1111,  // A
    0b0001,  // E
    0b1001,  // UE
    0b0101,  // GE
    0b1101,  // UGE
    0b0011,  // LE
    0b1011,  // ULE
    0b0111,  // O
};

constexpr unsigned kStbarRegister = 15;

}  // namespace

void IntegerUnit::reset() {
    supervisor_ = true;
    traps_enabled_ = false;
    set_pc(0, 4);
}

std::uint32_t IntegerUnit::psr() const {
    return std::uint32_t{options_.implementation} << kImplementationBit |
           conditions_ << kConditionsBit | (float_enabled_ ? kEnableFloat : 0) |
           interrupt_level_ << kInterruptLevelBit | (supervisor_ ? kSupervisor : 0) |
           (previous_supervisor_ ? kPreviousSupervisor : 0) | (traps_enabled_ ? kEnableTraps : 0) |
           (was_full_ ? SPARCLE_PSR_FULL : 0) | registers_.pointer();
}

void IntegerUnit::set_psr(std::uint32_t value) {
    conditions_ = (value >> kConditionsBit) & 0xf;
    float_enabled_ = options_.floating_point && (value & kEnableFloat) != 0;
    interrupt_level_ = (value >> kInterruptLevelBit) & 0xf;
    supervisor_ = (value & kSupervisor) != 0;
    previous_supervisor_ = (value & kPreviousSupervisor) != 0;
    traps_enabled_ = (value & kEnableTraps) != 0;
    was_full_ = (value & (SPARCLE_PSR_FULL | SPARCLE_PSR_ABOVE_FULL)) == SPARCLE_PSR_FULL;
    registers_.select(value & kCurrentWindow);
}

bool IntegerUnit::take_trap(std::uint8_t trap_type) {
    trap_base_ = (trap_base_ & kTrapBase) | std::uint32_t{trap_type} << kTrapTypeBit;
    if (!traps_enabled_) {
        return false;
    }
    traps_enabled_ = false;
    previous_supervisor_ = supervisor_;
    supervisor_ = true;
    registers_.select(registers_.pointer() + RegisterWindows::kWindows - 1);
    registers_.write(17, annul_ ? npc_ : pc_);
    registers_.write(18, annul_ ? npc_ + 4 : npc_);
    set_pc(trap_base_, trap_base_ + 4);
    return true;
}

// Executes an instruction without a fast path.
StepEnd IntegerUnit::execute_fields(Instruction instruction) {
    switch (instruction.op()) {
        case 0:
            return branch(instruction);
        case 2:
            return operate(instruction);
        default:
            return access(instruction);
    }
}

StepEnd IntegerUnit::branch(Instruction instruction) {
    switch (instruction.op2()) {
        case kFbfcc:
            break;
        case kCbccc:
            return branch_on_bit(instruction);
        case kSethi:  // a note: all other SETHI are register operations
            class_ = InstructionClass::kInteger;
            return done();
        default:
            return trap(kTrapIllegalInstruction);
    }
    if (!float_enabled_) {
        return trap(kTrapFloatDisabled);
    }
    class_ = InstructionClass::kBranch;
    const bool is_taken =
        ((kFloatConditionHolds[instruction.condition()] >> float_unit_.conditions()) & 1) != 0;
    if (!is_taken) {
        annul_ = instruction.annul();
        return done();
    }
    annul_ = instruction.annul() && instruction.condition() == kHoldsAlways;
    return jump(pc_ + instruction.displacement22());
}

// Executes Bfull and Bempty; Sparcle has no other coprocessor branches.
StepEnd IntegerUnit::branch_on_bit(Instruction instruction) {
    const bool wants_full = instruction.condition() == kCoprocessorSays1;
    if (!wants_full && instruction.condition() != kCoprocessorSays0) {
        class_ = InstructionClass::kCoprocessor;
        return trap(kTrapCoprocessorDisabled);
    }
    class_ = InstructionClass::kBranch;
    if (was_full_ != wants_full) {
        annul_ = instruction.annul();
        return done();
    }
    return jump(pc_ + instruction.displacement22());
}

template <Operation operation>
[[gnu::always_inline]] inline std::uint32_t IntegerUnit::result_of([[maybe_unused]] std::uint32_t a,
                                                                   std::uint32_t b) {
    switch (operation) {
        case Operation::kSethi:
            return b;
        case Operation::kAdd:
            return a + b;
        case Operation::kAddx:
            return a + b + carry();
        case Operation::kSub:
            return a - b;
        case Operation::kSubx:
            return a - b - carry();
        case Operation::kAnd:
            return a & b;
        case Operation::kAndn:
            return a & ~b;
        case Operation::kOr:
            return a | b;
        case Operation::kOrn:
            return a | ~b;
        case Operation::kXor:
            return a ^ b;
        case Operation::kXnor:
            return a ^ ~b;
        case Operation::kSll:
            return a << (b & 31);
        case Operation::kSrl:
            return a >> (b & 31);
        case Operation::kSra:
            return static_cast<std::uint32_t>(static_cast<std::int32_t>(a) >> (b & 31));
        case Operation::kAddcc:
            return add_setting_conditions(a, b);
        case Operation::kSubcc:
            return subtract_setting_conditions(a, b);
        case Operation::kAndcc:
            return setting_conditions(a & b);
        case Operation::kOrcc:
            return setting_conditions(a | b);
        case Operation::kXorcc:
            return setting_conditions(a ^ b);
        case Operation::kAddxcc:
            return add_setting_conditions(a, b, carry());
        case Operation::kSubxcc:
            return subtract_setting_conditions(a, b, carry());
        case Operation::kAndncc:
            return setting_conditions(a & ~b);
        case Operation::kOrncc:
            return setting_conditions(a | ~b);
        case Operation::kXnorcc:
            return setting_conditions(a ^ ~b);
        case Operation::kMulscc:
            return multiply_step(a, b);
        default:
            __builtin_unreachable();
    }
}

// Register operation with a register or an immediate as the second operand. Without has_result only
// icc changes.
template <Operation operation, bool has_register, bool has_result>
void IntegerUnit::operate_on(IntegerUnit& unit, const DecodedInstruction& decoded) {
    const std::uint32_t second =
        has_register ? unit.registers_.read(decoded.rs2) : decoded.immediate;
    const std::uint32_t result =
        unit.result_of<operation>(unit.registers_.read(decoded.rs1), second);
    if constexpr (has_result) {
        unit.registers_.write_above_0(decoded.rd, result);
    }
}

void IntegerUnit::operate_several(const DecodedInstruction* first, std::uint32_t count) {
    const DecodedInstruction* const behind = first + count;
    for (const DecodedInstruction* next = first; next != behind; ++next) {
        next->operate(*this, *next);
    }
}

template <Operation operation>
constexpr std::array<RegisterOperation, 4> IntegerUnit::forms_of() {
    return {operate_on<operation, false, false>, operate_on<operation, true, false>,
            operate_on<operation, false, true>, operate_on<operation, true, true>};
}

RegisterOperation IntegerUnit::register_operation(const DecodedInstruction& decoded) {
    constexpr auto kFirst = static_cast<std::size_t>(Operation::kSethi);
    constexpr auto kCount = static_cast<std::size_t>(Operation::kLoadWord) - kFirst;
    static constexpr auto kForms = []<std::size_t... i>(std::index_sequence<i...>) {
        return std::array{forms_of<static_cast<Operation>(kFirst + i)>()...};
    }
    (std::make_index_sequence<kCount>());
    return kForms[static_cast<std::size_t>(decoded.operation) - kFirst]
                 [(decoded.rs2 != 0 ? 1U : 0U) + (decoded.rd != 0 ? 2U : 0U)];
}

StepEnd IntegerUnit::operate(Instruction instruction) {
    const unsigned rd = instruction.rd();
    const std::uint32_t a = registers_.read(instruction.rs1());
    const std::uint32_t b = second_operand(instruction);
    switch (instruction.op3()) {
        case kAdd:  // ADD or SUB to %sp: a new stack frame
            return done(rd, a + b);
        case kSub:
            return done(rd, a - b);
        case kTaddcc:
        case kTsubcc:
        case kTaddccTv:
        case kTsubccTv:
            return tagged(instruction, a, b);
        case kUmul:
        case kSmul:
        case kUmulcc:
        case kSmulcc:
            return multiply(instruction, a, b);
        case kUdiv:
        case kSdiv:
        case kUdivcc:
        case kSdivcc:
            return divide(instruction, a, b);
        case kSave:
        case kRestore:
            return shift_window(instruction, a + b);
        default:
            return operate_on_state(instruction, a, b);
    }
}

// Operations that read or change processor state besides the registers.
StepEnd IntegerUnit::operate_on_state(Instruction instruction, std::uint32_t a, std::uint32_t b) {
    switch (instruction.op3()) {
        case kRettOp3:
            return return_from_trap(a + b);
        case kTiccOp3:
            return trap_on_condition(instruction, a + b);
        case kFlush:
            return done();
        case kRdy:
        case kRdpsr:
        case kRdwim:
        case kRdtbr:
            return read_state(instruction);
        case kWry:
        case kWrpsr:
        case kWrwim:
        case kWrtbr:
            return write_state(instruction, a ^ b);
        case kCpop1:
            return coprocessor(instruction);
        case kCpop2:
            class_ = InstructionClass::kCoprocessor;
            return trap(kTrapCoprocessorDisabled);
        default:
            return trap(kTrapIllegalInstruction);
    }
}

// The two lowest bits of a tagged value are its type, 0 for an integer of 30 bits.
StepEnd IntegerUnit::tagged(Instruction instruction, std::uint32_t a, std::uint32_t b) {
    const unsigned op3 = instruction.op3();
    const bool adds = op3 == kTaddcc || op3 == kTaddccTv;
    const bool traps = op3 == kTaddccTv || op3 == kTsubccTv;
    const std::uint32_t result = adds ? a + b : a - b;
    const std::uint32_t overflow =
        (adds ? (a ^ result) & (b ^ result) : (a ^ b) & (a ^ result)) >> 31;
    const bool tag_overflow = overflow != 0 || ((a | b) & 3) != 0;
    if (tag_overflow && traps) {
        return trap(kTrapTagOverflow);
    }
    if (adds) {
        add_setting_conditions(a, b);
    } else {
        subtract_setting_conditions(a, b);
    }
    conditions_ |= tag_overflow ? 2U : 0U;
    return done(instruction.rd(), result);
}

StepEnd IntegerUnit::multiply(Instruction instruction, std::uint32_t a, std::uint32_t b) {
    if (!options_.multiply_divide) {
        return trap(kTrapIllegalInstruction);
    }
    class_ = InstructionClass::kMultiply;
    const unsigned operation = instruction.op3() & ~unsigned{kSetsConditions};
    const std::uint64_t product =
        operation == kUmul ? std::uint64_t{a} * b
                           : static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a)} *
                                                        static_cast<std::int32_t>(b));
    const auto result = static_cast<std::uint32_t>(product);
    y_ = static_cast<std::uint32_t>(product >> 32);
    if ((instruction.op3() & kSetsConditions) != 0) {
        set_conditions(result, 0, 0);
    }
    return done(instruction.rd(), result);
}

StepEnd IntegerUnit::divide(Instruction instruction, std::uint32_t a, std::uint32_t b) {
    if (!options_.multiply_divide) {
        return trap(kTrapIllegalInstruction);
    }
    class_ = InstructionClass::kDivide;
    if (b == 0) {
        return trap(kTrapDivisionByZero);
    }
    const std::uint64_t dividend = std::uint64_t{y_} << 32 | a;
    std::uint32_t result = 0;
    bool overflow = false;
    if ((instruction.op3() & ~unsigned{kSetsConditions}) == kUdiv) {
        const std::uint64_t quotient = dividend / b;
        overflow = quotient > std::numeric_limits<std::uint32_t>::max();
        result = overflow ? std::numeric_limits<std::uint32_t>::max()
                          : static_cast<std::uint32_t>(quotient);
    } else {
        const auto divisor = static_cast<std::int32_t>(b);
        const auto signed_dividend = static_cast<std::int64_t>(dividend);
        // 2^63 is the only quotient that does not fit into 64 bits.
        const bool too_large =
            signed_dividend == std::numeric_limits<std::int64_t>::min() && divisor == -1;
        const std::int64_t quotient =
            too_large ? std::numeric_limits<std::int64_t>::max() : signed_dividend / divisor;
        const auto kept = static_cast<std::int32_t>(quotient);
        overflow = kept != quotient;
        if (!overflow) {
            result = static_cast<std::uint32_t>(kept);
        } else {
            result = quotient < 0 ? 0x80000000 : 0x7fffffff;
        }
    }
    if ((instruction.op3() & kSetsConditions) != 0) {
        set_conditions(result, overflow ? 1 : 0, 0);
    }
    return done(instruction.rd(), result);
}

inline StepEnd IntegerUnit::shift_window(Instruction instruction, std::uint32_t result) {
    const bool saves = instruction.op3() == kSave;
    const unsigned window = (registers_.pointer() + (saves ? RegisterWindows::kWindows - 1 : 1)) %
                            RegisterWindows::kWindows;
    if (((window_invalid_mask_ >> window) & 1) != 0) {
        return trap(saves ? kTrapWindowOverflow : kTrapWindowUnderflow);
    }
    registers_.select(window);
    return done(instruction.rd(), result);
}

StepEnd IntegerUnit::read_state(Instruction instruction) {
    class_ = InstructionClass::kStateRegister;
    if (instruction.op3() == kRdy) {
        if (instruction.rs1() == kStbarRegister && instruction.rd() == 0) {
            return done();
        }
        if (instruction.rs1() != 0) {
            return trap(kTrapIllegalInstruction);
        }
        return done(instruction.rd(), y_);
    }
    if (!supervisor_) {
        return trap(kTrapPrivilegedInstruction);
    }
    switch (instruction.op3()) {
        case kRdpsr:
            return done(instruction.rd(), psr());
        case kRdwim:
            return done(instruction.rd(), window_invalid_mask_);
        default:
            return done(instruction.rd(), trap_base_);
    }
}

StepEnd IntegerUnit::write_state(Instruction instruction, std::uint32_t value) {
    class_ = InstructionClass::kStateRegister;
    if (instruction.op3() == kWry) {
        if (instruction.rd() != 0) {
            return trap(kTrapIllegalInstruction);
        }
        y_ = value;
        return done();
    }
    if (!supervisor_) {
        return trap(kTrapPrivilegedInstruction);
    }
    switch (instruction.op3()) {
        case kWrpsr:
            if ((value & kCurrentWindow) >= RegisterWindows::kWindows) {
                return trap(kTrapIllegalInstruction);
            }
            set_psr(value);
            return done();
        case kWrwim:
            set_wim(value);
            return done();
        default:
            trap_base_ = (value & kTrapBase) | (trap_base_ & ~kTrapBase);
            return done();
    }
}

StepEnd IntegerUnit::coprocessor(Instruction instruction) {
    class_ = InstructionClass::kCoprocessor;
    const std::uint32_t operand = registers_.read(instruction.rs1());
    unsigned up = SPARCLE_WINDOWS_PER_CONTEXT;
    switch (instruction.opf()) {
        case SPARCLE_PREVF:
            up = RegisterWindows::kWindows - SPARCLE_WINDOWS_PER_CONTEXT;
            [[fallthrough]];
        case SPARCLE_NEXTF:
            if (!supervisor_) {
                return trap(kTrapPrivilegedInstruction);
            }
            registers_.select(registers_.pointer() + up);
            return done();
        case SPARCLE_IPILAUNCH:
            return store_to_controller(WEIR_LAUNCH, operand);
        case SPARCLE_IPICST_STORE:
            return store_to_controller(WEIR_STORE_BODY, operand);
        case SPARCLE_IPICST_STORE_AND_INTERRUPT:
            return store_to_controller(WEIR_STORE_BODY_AND_INTERRUPT, operand);
        case SPARCLE_IPICST_DISCARD:
            return store_to_controller(WEIR_DISPOSE, operand);
        default:
            return trap(kTrapCoprocessorDisabled);
    }
}

StepEnd IntegerUnit::store_to_controller(std::uint32_t address, std::uint32_t data) {
    class_ = InstructionClass::kStore;
    request_ = {.kind = MemoryRequest::Kind::kStore,
                .bytes = 4,
                .asi = SPARCLE_ASI_IO,
                .use = MemoryRequest::Use::kNone,
                .rd = 0,
                .address = address,
                .data = data};
    return StepEnd::kMemory;
}

StepEnd IntegerUnit::return_from_trap(std::uint32_t target) {
    class_ = InstructionClass::kRett;
    if (!supervisor_) {
        return trap(kTrapPrivilegedInstruction);
    }
    if (traps_enabled_) {
        return trap(kTrapIllegalInstruction);
    }
    const unsigned window = (registers_.pointer() + 1) % RegisterWindows::kWindows;
    if (((window_invalid_mask_ >> window) & 1) != 0) {
        return trap(kTrapWindowUnderflow);
    }
    if ((target & 3) != 0) {
        return trap(kTrapAddressNotAligned);
    }
    traps_enabled_ = true;
    supervisor_ = previous_supervisor_;
    registers_.select(window);
    return jump(target);
}

inline StepEnd IntegerUnit::trap_on_condition(Instruction instruction, std::uint32_t number) {
    class_ = InstructionClass::kTicc;
    if (((kConditionHolds[instruction.condition()] >> conditions_) & 1) == 0) {
        return done();
    }
    return trap(static_cast<std::uint8_t>(kTrapInstruction | (number & 0x7f)));
}

StepEnd IntegerUnit::float_operation(const DecodedInstruction& decoded) {
    if (!float_enabled_) {
        return trap(kTrapFloatDisabled);
    }
    if (!float_unit_.operate({decoded.word})) {
        return trap(kTrapFloatException);
    }
    return done();
}

// --- Loads and stores ---------------------------------------------------------------------------

inline StepEnd IntegerUnit::access(Instruction instruction) {
    using Kind = MemoryRequest::Kind;
    using Use = MemoryRequest::Use;
    using Class = InstructionClass;
    const unsigned op3 = instruction.op3();
    if (op3 >= kLdf) {
        return op3 < kLdc ? float_access(instruction) : coprocessor_access(instruction);
    }
    const std::uint32_t data = registers_.read(instruction.rd());
    switch (op3 & ~unsigned{kAlternate}) {
        case kLd:
            return request_access(Kind::kLoad, 4, Use::kWord, instruction, 0, Class::kLoad);
        case kLdub:
            return request_access(Kind::kLoad, 1, Use::kWord, instruction, 0, Class::kLoad);
        case kLduh:
            return request_access(Kind::kLoad, 2, Use::kWord, instruction, 0, Class::kLoad);
        case kLdsb:
            return request_access(Kind::kLoad, 1, Use::kSignedByte, instruction, 0, Class::kLoad);
        case kLdsh:
            return request_access(Kind::kLoad, 2, Use::kSignedHalfword, instruction, 0,
                                  Class::kLoad);
        case kLdd:
            return request_access(Kind::kLoad, 8, Use::kDoubleword, instruction, 0,
                                  Class::kLoadDouble);
        case kSt:
            return request_access(Kind::kStore, 4, Use::kNone, instruction, data, Class::kStore);
        case kStb:
            return request_access(Kind::kStore, 1, Use::kNone, instruction, data & 0xff,
                                  Class::kStore);
        case kSth:
            return request_access(Kind::kStore, 2, Use::kNone, instruction, data & 0xffff,
                                  Class::kStore);
        case kStd:
            return request_access(Kind::kStore, 8, Use::kNone, instruction,
                                  std::uint64_t{data} << 32 | registers_.read(instruction.rd() | 1),
                                  Class::kStoreDouble);
        case kLdstub:
            return request_access(Kind::kLoadStoreUnsignedByte, 1, Use::kWord, instruction, 0xff,
                                  Class::kAtomic);
        case kSwap:
            return request_access(Kind::kSwap, 4, Use::kWord, instruction, data, Class::kAtomic);
        default:
            class_ = Class::kInteger;
            return trap(kTrapIllegalInstruction);
    }
}

inline StepEnd IntegerUnit::request_access(MemoryRequest::Kind kind, unsigned bytes,
                                           MemoryRequest::Use use, Instruction instruction,
                                           std::uint64_t data, InstructionClass cls) {
    class_ = cls;
    const bool alternate = instruction.op3() < kLdf && (instruction.op3() & kAlternate) != 0;
    const bool odd_pair = bytes == 8 && instruction.op3() < kLdf && (instruction.rd() & 1) != 0;
    std::uint8_t asi = supervisor_ ? SPARCLE_ASI_SUPERVISOR_DATA : SPARCLE_ASI_USER_DATA;
    std::uint8_t refused = 0;
    if (alternate) {
        if (instruction.immediate()) {
            return trap(kTrapIllegalInstruction);
        }
        asi = instruction.asi();
        refused = refused_space(asi, kind);
    }
    if (refused == kTrapPrivilegedInstruction) {
        return trap(refused);
    }
    if (odd_pair) {
        return trap(kTrapIllegalInstruction);
    }
    const std::uint32_t address = registers_.read(instruction.rs1()) + second_operand(instruction);
    if ((address & (bytes - 1)) != 0) {
        return trap(kTrapAddressNotAligned);
    }
    if (refused != 0) {
        return trap(refused);
    }
    request_ = {.kind = kind,
                .bytes = static_cast<std::uint8_t>(bytes),
                .asi = asi,
                .use = use,
                .rd = static_cast<std::uint8_t>(instruction.rd()),
                .address = address,
                .data = data};
    return StepEnd::kMemory;
}

/// Returns the trap type of an access to that space, or 0.
std::uint8_t IntegerUnit::refused_space(std::uint8_t asi, MemoryRequest::Kind kind) const {
    switch (asi) {
        case SPARCLE_ASI_IO:
            return 0;
        case SPARCLE_ASI_LOAD_FULL:
        case SPARCLE_ASI_TAKE_FULL:
        case SPARCLE_ASI_LOAD_FOUND:
        case SPARCLE_ASI_TAKE_FOUND:
        case SPARCLE_ASI_PREFETCH:
        case SPARCLE_ASI_PREFETCH_TO_WRITE:
            return kind == MemoryRequest::Kind::kLoad ? 0 : kTrapDataAccess;
        case SPARCLE_ASI_STORE_FULL:
        case SPARCLE_ASI_STORE_EMPTY:
        case SPARCLE_ASI_STORE_FOUND:
        case SPARCLE_ASI_STORE_IF_EMPTY:
        case SPARCLE_ASI_FILL_IF_EMPTY:
            return kind == MemoryRequest::Kind::kStore ? 0 : kTrapDataAccess;
        case SPARCLE_ASI_FETCH_AND_ADD:
        case SPARCLE_ASI_FETCH_AND_AND:
        case SPARCLE_ASI_FETCH_AND_OR:
        case SPARCLE_ASI_EXCHANGE_AT_HOME:
            return kind == MemoryRequest::Kind::kSwap ? 0 : kTrapDataAccess;
        case SPARCLE_ASI_USER_INSTRUCTION:
        case SPARCLE_ASI_SUPERVISOR_INSTRUCTION:
        case SPARCLE_ASI_USER_DATA:
        case SPARCLE_ASI_SUPERVISOR_DATA:
            return supervisor_ ? 0 : kTrapPrivilegedInstruction;
        default:
            return supervisor_ ? kTrapDataAccess : kTrapPrivilegedInstruction;
    }
}

StepEnd IntegerUnit::float_access(Instruction instruction) {
    using Kind = MemoryRequest::Kind;
    using Use = MemoryRequest::Use;
    using Class = InstructionClass;
    const unsigned op3 = instruction.op3();
    const unsigned rd = instruction.rd();
    class_ = Class::kInteger;
    if (op3 == kStdfq && !supervisor_) {
        return trap(kTrapPrivilegedInstruction);
    }
    if (op3 > kStdf || op3 == kLdfsr + 1) {
        return trap(kTrapIllegalInstruction);
    }
    if (!float_enabled_) {
        return trap(kTrapFloatDisabled);
    }
    switch (op3) {
        case kLdf:
            return request_access(Kind::kLoad, 4, Use::kFloat, instruction, 0, Class::kLoad);
        case kLdfsr:
            return request_access(Kind::kLoad, 4, Use::kFloatState, instruction, 0, Class::kLoad);
        case kLddf:
            return request_access(Kind::kLoad, 8, Use::kFloatDouble, instruction, 0,
                                  Class::kLoadDouble);
        case kStf:
            return request_access(Kind::kStore, 4, Use::kNone, instruction, float_unit_.read(rd),
                                  Class::kStore);
        case kStfsr:
            return request_access(Kind::kStore, 4, Use::kFloatStateStored, instruction,
                                  float_unit_.fsr(), Class::kStore);
        case kStdf:
            return request_access(Kind::kStore, 8, Use::kNone, instruction,
                                  float_unit_.read_double(rd), Class::kStoreDouble);
        default:
            float_unit_.sequence_error();
            return trap(kTrapFloatException);
    }
}

StepEnd IntegerUnit::coprocessor_access(Instruction instruction) {
    class_ = InstructionClass::kCoprocessor;
    switch (instruction.op3()) {
        case kStdcq:
            return trap(supervisor_ ? kTrapCoprocessorDisabled : kTrapPrivilegedInstruction);
        case kLdc:
        case kLdcsr:
        case kLddc:
        case kStc:
        case kStcsr:
        case kStdc:
            return trap(kTrapCoprocessorDisabled);
        default:
            return trap(kTrapIllegalInstruction);
    }
}

void IntegerUnit::complete(std::uint64_t loaded) {
    const auto word = static_cast<std::uint32_t>(loaded);
    const unsigned rd = request_.rd;
    switch (request_.use) {
        case MemoryRequest::Use::kNone:
            break;
        case MemoryRequest::Use::kWord:
            registers_.write(rd, word);
            break;
        case MemoryRequest::Use::kSignedByte:
            registers_.write(rd, Instruction::extended(word, 8));
            break;
        case MemoryRequest::Use::kSignedHalfword:
            registers_.write(rd, Instruction::extended(word, 16));
            break;
        case MemoryRequest::Use::kDoubleword:
            registers_.write(rd, static_cast<std::uint32_t>(loaded >> 32));
            registers_.write(rd | 1, word);
            break;
        case MemoryRequest::Use::kFloat:
            float_unit_.write(rd, word);
            break;
        case MemoryRequest::Use::kFloatDouble:
            float_unit_.write_double(rd, loaded);
            break;
        case MemoryRequest::Use::kFloatState:
            float_unit_.load_fsr(word);
            break;
        case MemoryRequest::Use::kFloatStateStored:
            float_unit_.fsr_stored();
            break;
    }
    done();
}

// --- Load-use -----------------------------------------------------------------------------------

namespace {

bool names(unsigned operand, bool is_double, unsigned number) {
    return is_double ? (operand & ~1U) == (number & ~1U) : operand == number;
}

bool float_operation_reads(Instruction instruction, unsigned number) {
    const unsigned opf = instruction.opf();
    // Lowest two bits of opf: 1 single, 2 double; FiTOs and FiTOd, which convert an integer, have
    // 0.
    const bool is_double = (opf & 3) == 2;
    if (names(instruction.rs2(), is_double, number)) {
        return true;
    }
    const bool two_operands = (opf >= kFadds && opf < kFitos);
    return two_operands && names(instruction.rs1(), is_double, number);
}

bool reads_integer(Instruction instruction, unsigned number) {
    const bool rs1 = instruction.rs1() == number;
    const bool rs2 = !instruction.immediate() && instruction.rs2() == number;
    const unsigned op3 = instruction.op3();
    if (instruction.op() < 2) {
        return false;
    }
    if (instruction.op() == 2) {
        switch (op3) {
            case kRdy:
            case kRdpsr:
            case kRdwim:
            case kRdtbr:
            case kFpop1:
            case kFpop2:
            case kCpop2:
                return false;
            case kCpop1:
                return rs1;
            default:
                return rs1 || rs2;
        }
    }
    const unsigned plain = op3 & ~unsigned{kAlternate};
    const bool stores_word =
        op3 < kLdf && (plain == kSt || plain == kStb || plain == kSth || plain == kSwap);
    const bool stores_pair = op3 < kLdf && plain == kStd;
    return rs1 || rs2 || (stores_word && instruction.rd() == number) ||
           (stores_pair && names(instruction.rd(), true, number));
}

bool reads_float(Instruction instruction, unsigned number) {
    const unsigned op3 = instruction.op3();
    if (instruction.op() == 2 && (op3 == kFpop1 || op3 == kFpop2)) {
        return float_operation_reads(instruction, number);
    }
    return instruction.op() == 3 && (op3 == kStf || op3 == kStdf) &&
           names(instruction.rd(), op3 == kStdf, number);
}

}  // namespace

bool IntegerUnit::reads_register(std::uint32_t word, unsigned number, bool is_float) {
    if (is_float) {
        return reads_float({word}, number);
    }
    return number != 0 && reads_integer({word}, number);
}

}  // namespace weir::nodes::sparcle
