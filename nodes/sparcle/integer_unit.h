#pragma once

#include <array>
#include <cstdint>

#include "nodes/sparcle/architecture.h"
#include "nodes/sparcle/decoded_instruction.h"
#include "nodes/sparcle/float_unit.h"
#include "nodes/sparcle/instruction.h"
#include "nodes/sparcle/register_windows.h"
#include "nodes/sparcle/trap_type.h"

namespace weir::nodes::sparcle {

/// Memory access of a load, store or atomic instruction.
struct MemoryRequest {
    enum class Kind : std::uint8_t { kLoad, kStore, kLoadStoreUnsignedByte, kSwap };
    /// Use of the loaded data.
    enum class Use : std::uint8_t {
        kNone,
        kWord,
        kSignedByte,
        kSignedHalfword,
        kDoubleword,
        kFloat,
        kFloatDouble,
        kFloatState,
        kFloatStateStored,
    };

    Kind kind = Kind::kLoad;
    std::uint8_t bytes = 4;  ///< 1, 2, 4 or 8; the address is a multiple of this
    std::uint8_t asi = SPARCLE_ASI_USER_DATA;
    Use use = Use::kNone;
    std::uint8_t rd = 0;
    std::uint32_t address = 0;
    /// Data to store, as a big-endian number of `bytes` bytes. 0xff for LDSTUB.
    std::uint64_t data = 0;

    [[nodiscard]] bool is_load() const { return kind == Kind::kLoad; }
    [[nodiscard]] bool is_store() const { return kind == Kind::kStore; }
    /// True if the instruction loads and stores.
    [[nodiscard]] bool is_atomic() const { return !is_load() && !is_store(); }
};

/// End of a step. `kMemory`: request() is waiting, and no state has changed. `kTrap`: trap_type()
/// has the cause, and no state has changed except FSR.ftt and cexc of an fp_exception.
enum class StepEnd : std::uint8_t { kDone, kMemory, kTrap };

/// Sparcle's integer unit without time: the registers, and the effect of each instruction on them.
/// The unit is of SPARC V7, with 8 windows and the additions of architecture.h. Fetches, memory,
/// the sampling of interrupts and cycles are left to the caller.
///
/// Choices that SPARC leaves to the implementation:
///  - WRPSR, WRWIM, WRTBR and WRY take effect at once, not three instructions later. FBfcc sees the
///    FCMP right before it. Floating-point exceptions are precise (float_unit.h).
///  - An odd data register of LDD and STD, an ancillary state register other than Y, and an
///    alternate access with an immediate are illegal_instruction. STBAR and FLUSH have no effect:
///    stores are in order, and the unit has no instruction cache.
///  - The V8 multiply and divide instructions are an option; without it they are illegal.
///  - PSR.EC is always 0. The CPop1s of architecture.h work nevertheless, in user mode too except
///    NEXTF and PREVF. CB0 and CB1, which test architecture.h's bit of PSR, work with PSR.EC = 0
///    too. Every other coprocessor instruction is cp_disabled.
///  - In user mode, alternate accesses are privileged_instruction, except I/O and full/empty
///    spaces. Spaces that do not exist, or not for that kind of access (a load that stores full),
///    are data_access_exception.
///  - An interrupt or trap between a branch and its annulled instruction returns behind the
///    annulled instruction.
class IntegerUnit {
  public:
    struct Options {
        /// True if the unit has V8's UMUL, SMUL, UDIV, SDIV, and FsMULd.
        bool multiply_divide = false;
        bool floating_point = true;  ///< false: PSR.EF is always 0
        /// PSR.impl and ver. SPARC's list of implementations gives 0x11 for LSI's L64811; Sparcle
        /// is a variant of it.
        std::uint8_t implementation = 0x11;
        std::uint8_t float_version = 0;  ///< FSR.ver
    };

    explicit IntegerUnit(Options options)
        : float_unit_(options.float_version, options.multiply_divide), options_(options) {}

    /// Sets S = 1, ET = 0 and pc = 0; the other registers keep their values.
    void reset();

    [[nodiscard]] std::uint32_t pc() const { return pc_; }
    [[nodiscard]] std::uint32_t npc() const { return npc_; }
    /// True if the instruction at pc() is annulled.
    [[nodiscard]] bool next_is_annulled() const { return annul_; }

    /// Executes the word at pc(). After kDone, pc and npc have advanced.
    StepEnd execute(std::uint32_t word) { return execute(decoded_at(pc_, word)); }
    StepEnd execute(const DecodedInstruction& decoded);

    // Fast paths of execute() for instructions that are not annulled; last_class() is not updated.
    StepEnd transfer(const DecodedInstruction& decoded);
    StepEnd float_operation(const DecodedInstruction& decoded);
    /// Executes `count` consecutive register operations, at least one.
    void operate(const DecodedInstruction* first, std::uint32_t count) {
        pc_ = npc_ + 4 * (count - 1);
        npc_ = pc_ + 4;
        if (count == 1) {
            first->operate(*this, *first);
        } else {
            operate_several(first, count);
        }
    }
    [[nodiscard]] const MemoryRequest& request() const { return request_; }
    /// Completes an access after kMemory. `loaded`: for a load or atomic, the big-endian number in
    /// the request().bytes bytes before the access.
    void complete(std::uint64_t loaded = 0);
    /// Lets the access of kMemory trap; the state is then that of kTrap.
    void refuse(std::uint8_t trap_type) { trap_type_ = trap_type; }
    /// Sets whether the word of an access that reports was full; call after kMemory, before
    /// complete().
    void report_full(bool is_full) { was_full_ = is_full; }
    [[nodiscard]] std::uint8_t trap_type() const { return trap_type_; }

    /// Enters a trap or interrupt before the instruction at pc(). Returns false if ET was 0: the
    /// unit is in error mode, and only TBR.tt has changed.
    bool take_trap(std::uint8_t trap_type);
    /// True if an interrupt of this level, 1 to 15, would be taken.
    [[nodiscard]] bool may_interrupt(unsigned level) const {
        return traps_enabled_ && (level == 15 || level > interrupt_level_);
    }

    /// Returns the function for DecodedInstruction::operate.
    [[nodiscard]] static RegisterOperation register_operation(const DecodedInstruction& decoded);

    /// Class of the last word given to execute().
    [[nodiscard]] InstructionClass last_class() const { return class_; }

    /// True if `word` reads the integer or floating-point register `number`, and so waits if the
    /// previous instruction loads this register. After a double load, ask for both registers.
    static bool reads_register(std::uint32_t word, unsigned number, bool is_float);

    // Steps of a plain access to memory, as execute() and complete() would perform them. The caller
    // must trap if the address is no multiple of the access's size.
    [[nodiscard]] std::uint32_t address_of(const DecodedInstruction& access) const {
        return second_operand(access) + registers_.read(access.rs1);
    }
    [[nodiscard]] bool may_use_floats() const { return float_enabled_; }
    void load_word(unsigned rd, std::uint32_t value) { done(rd, value); }
    void load_double(unsigned rd, std::uint64_t value) {
        registers_.write(rd, static_cast<std::uint32_t>(value >> 32));
        done(rd | 1, static_cast<std::uint32_t>(value));
    }
    void load_float(unsigned rd, std::uint32_t value) {
        float_unit_.write(rd, value);
        done();
    }
    void load_float_double(unsigned rd, std::uint64_t value) {
        float_unit_.write_double(rd, value);
        done();
    }
    [[nodiscard]] std::uint64_t double_of(unsigned rd) const {
        return std::uint64_t{registers_.read(rd)} << 32 | registers_.read(rd | 1);
    }
    [[nodiscard]] std::uint64_t float_double_of(unsigned rd) const {
        return float_unit_.read_double(rd);
    }
    void stored() { done(); }

    /// State that register operations, loads of integers and branches change, except pc and npc.
    struct LoopState {
        std::array<std::uint32_t, 32> registers{};
        std::uint32_t y = 0;
        std::uint32_t conditions = 0;
        bool operator==(const LoopState&) const = default;
    };
    [[nodiscard]] LoopState loop_state() const {
        return {.registers = registers_.current(), .y = y_, .conditions = conditions_};
    }

    // Complete state, for a debugger, a loader and tests.
    void set_pc(std::uint32_t pc, std::uint32_t npc, bool annul = false) {
        pc_ = pc;
        npc_ = npc;
        annul_ = annul;
    }
    [[nodiscard]] std::uint32_t reg(unsigned number) const { return registers_.read(number); }
    void set_reg(unsigned number, std::uint32_t value) { registers_.write(number, value); }
    [[nodiscard]] std::uint32_t window_reg(unsigned window, unsigned number) const {
        return registers_.read(window, number);
    }
    void set_window_reg(unsigned window, unsigned number, std::uint32_t value) {
        registers_.write(window, number, value);
    }
    [[nodiscard]] std::uint32_t psr() const;
    /// Sets PSR as WRPSR does, without its traps.
    void set_psr(std::uint32_t value);
    [[nodiscard]] unsigned current_window() const { return registers_.pointer(); }
    [[nodiscard]] bool supervisor() const { return supervisor_; }
    [[nodiscard]] bool traps_enabled() const { return traps_enabled_; }
    [[nodiscard]] unsigned processor_interrupt_level() const { return interrupt_level_; }
    [[nodiscard]] std::uint32_t wim() const { return window_invalid_mask_; }
    void set_wim(std::uint32_t value) { window_invalid_mask_ = value & kWindowMask; }
    [[nodiscard]] std::uint32_t tbr() const { return trap_base_; }
    /// Sets TBR, including its field tt.
    void set_tbr(std::uint32_t value) { trap_base_ = value & ~0xfU; }
    [[nodiscard]] std::uint32_t y() const { return y_; }
    void set_y(std::uint32_t value) { y_ = value; }
    [[nodiscard]] std::uint32_t fsr() const { return float_unit_.fsr(); }
    void set_fsr(std::uint32_t value) { float_unit_.set_fsr(value); }
    [[nodiscard]] std::uint32_t f(unsigned number) const { return float_unit_.read(number); }
    void set_f(unsigned number, std::uint32_t value) { float_unit_.write(number, value); }

  private:
    static constexpr std::uint32_t kWindowMask = (1U << RegisterWindows::kWindows) - 1;

    [[gnu::noinline]] void operate_several(const DecodedInstruction* first, std::uint32_t count);
    template <Operation operation>
    std::uint32_t result_of(std::uint32_t a, std::uint32_t b);
    template <Operation operation, bool has_register, bool has_result>
    static void operate_on(IntegerUnit& unit, const DecodedInstruction& decoded);
    template <Operation operation>
    static constexpr std::array<RegisterOperation, 4> forms_of();
    StepEnd execute_fields(Instruction instruction);
    StepEnd branch(Instruction instruction);
    StepEnd branch_on_bit(Instruction instruction);
    StepEnd operate(Instruction instruction);
    StepEnd operate_on_state(Instruction instruction, std::uint32_t a, std::uint32_t b);
    StepEnd access(Instruction instruction);
    StepEnd tagged(Instruction instruction, std::uint32_t a, std::uint32_t b);
    StepEnd multiply(Instruction instruction, std::uint32_t a, std::uint32_t b);
    StepEnd divide(Instruction instruction, std::uint32_t a, std::uint32_t b);
    StepEnd shift_window(Instruction instruction, std::uint32_t result);
    StepEnd read_state(Instruction instruction);
    StepEnd write_state(Instruction instruction, std::uint32_t value);
    StepEnd coprocessor(Instruction instruction);
    StepEnd store_to_controller(std::uint32_t address, std::uint32_t data);
    StepEnd return_from_trap(std::uint32_t target);
    StepEnd trap_on_condition(Instruction instruction, std::uint32_t number);
    StepEnd float_access(Instruction instruction);
    StepEnd coprocessor_access(Instruction instruction);
    StepEnd request_access(MemoryRequest::Kind kind, unsigned bytes, MemoryRequest::Use use,
                           Instruction instruction, std::uint64_t data, InstructionClass cls);
    [[nodiscard]] std::uint8_t refused_space(std::uint8_t asi, MemoryRequest::Kind kind) const;

    StepEnd trap(std::uint8_t trap_type) {
        trap_type_ = trap_type;
        return StepEnd::kTrap;
    }
    StepEnd done() {
        pc_ = npc_;
        npc_ += 4;
        return StepEnd::kDone;
    }
    StepEnd done(unsigned rd, std::uint32_t result) {
        registers_.write(rd, result);
        return done();
    }
    StepEnd jump(std::uint32_t target) {
        pc_ = npc_;
        npc_ = target;
        return StepEnd::kDone;
    }
    [[nodiscard]] std::uint32_t second_operand(Instruction instruction) const {
        return instruction.immediate() ? instruction.simm13() : registers_.read(instruction.rs2());
    }
    [[nodiscard]] std::uint32_t second_operand(const DecodedInstruction& decoded) const {
        return registers_.read(decoded.rs2) + decoded.immediate;
    }
    [[nodiscard]] std::uint32_t carry() const { return conditions_ & 1U; }
    void set_conditions(std::uint32_t result, std::uint32_t overflow, std::uint32_t carry) {
        conditions_ = (result >> 28 & 8U) + (result == 0 ? 4U : 0U) + 2 * overflow + carry;
    }
    // Arithmetic that sets icc and returns the result.
    [[gnu::always_inline]] std::uint32_t add_setting_conditions(std::uint32_t a, std::uint32_t b,
                                                                std::uint32_t carry = 0) {
        const std::uint64_t sum = std::uint64_t{a} + b + carry;
        const auto result = static_cast<std::uint32_t>(sum);
        set_conditions(result, ((a ^ result) & (b ^ result)) >> 31,
                       static_cast<std::uint32_t>(sum >> 32));
        return result;
    }
    [[gnu::always_inline]] std::uint32_t subtract_setting_conditions(std::uint32_t a,
                                                                     std::uint32_t b,
                                                                     std::uint32_t borrow = 0) {
        const std::uint64_t difference = std::uint64_t{a} - b - borrow;
        const auto result = static_cast<std::uint32_t>(difference);
        set_conditions(result, ((a ^ b) & (a ^ result)) >> 31,
                       static_cast<std::uint32_t>(difference >> 63));
        return result;
    }
    [[gnu::always_inline]] std::uint32_t setting_conditions(std::uint32_t result) {
        set_conditions(result, 0, 0);
        return result;
    }
    // MULSCC: adds b to the partial product if the lowest bit of Y is set.
    [[gnu::always_inline]] std::uint32_t multiply_step(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t sign = ((conditions_ >> 3) ^ (conditions_ >> 1)) & 1;
        const std::uint32_t shifted = sign << 31 | a >> 1;
        const std::uint32_t addend = (y_ & 1) != 0 ? b : 0;
        y_ = a << 31 | y_ >> 1;
        return add_setting_conditions(shifted, addend);
    }

    RegisterWindows registers_;
    std::uint32_t pc_ = 0;
    std::uint32_t npc_ = 4;
    std::uint32_t y_ = 0;
    std::uint32_t window_invalid_mask_ = 0;
    std::uint32_t trap_base_ = 0;
    std::uint32_t conditions_ = 0;  ///< PSR.icc: N, Z, V, C from bit 3 down
    unsigned interrupt_level_ = 0;
    bool annul_ = false;
    bool supervisor_ = true;
    bool previous_supervisor_ = false;
    bool traps_enabled_ = false;
    bool float_enabled_ = false;
    bool was_full_ = false;  ///< the bit SPARCLE_PSR_FULL of PSR
    InstructionClass class_ = InstructionClass::kInteger;
    std::uint8_t trap_type_ = kTrapReset;
    MemoryRequest request_;
    FloatUnit float_unit_;
    Options options_;
};

inline StepEnd IntegerUnit::execute(const DecodedInstruction& decoded) {
    if (annul_) {
        annul_ = false;
        class_ = InstructionClass::kAnnulled;
        return done();
    }
    class_ = decoded.instruction_class;
    if (decoded.is_register_operation()) {
        operate(&decoded, 1);
        return StepEnd::kDone;
    }
    if (decoded.operation == Operation::kFloatOperation) {
        return float_operation(decoded);
    }
    return decoded.is_transfer() ? transfer(decoded) : execute_fields({decoded.word});
}

[[gnu::always_inline]] inline StepEnd IntegerUnit::transfer(const DecodedInstruction& decoded) {
    if (decoded.operation == Operation::kBranch) [[likely]] {
        const bool is_taken = ((decoded.taken >> conditions_) & 1U) != 0;
        annul_ = is_taken ? decoded.annuls_when_taken : decoded.annuls;
        return is_taken ? jump(pc_ + decoded.immediate) : done();
    }
    if (decoded.operation == Operation::kCall) {
        registers_.write(15, pc_);
        return jump(pc_ + decoded.immediate);
    }
    const std::uint32_t target = registers_.read(decoded.rs1) + second_operand(decoded);
    if ((target & 3) != 0) {
        return trap(kTrapAddressNotAligned);
    }
    registers_.write(decoded.rd, pc_);
    return jump(target);
}

}  // namespace weir::nodes::sparcle
