#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "nodes/sparcle/architecture.h"
#include "nodes/sparcle/instruction.h"

namespace weir::nodes::sparcle {

class IntegerUnit;
struct DecodedInstruction;

/// Function that executes a register operation on the unit's registers.
using RegisterOperation = void (*)(IntegerUnit& unit, const DecodedInstruction& decoded);

/// Kind of an instruction for the core's fast paths.
enum class Operation : std::uint8_t {
    kOther,      ///< no fast path: IntegerUnit::execute_fields() decodes the word
    kTimedCore,  ///< no fast path, and the timed core must act, too
    kBranch,     ///< Bicc
    kCall,
    kJmpl,
    kFloatOperation,  ///< FPop1 and FPop2
    // Register operations: they take integer_cycles and continue with the next instruction.
    kSethi,
    kAdd,
    kAddx,
    kSub,
    kSubx,
    kAnd,
    kAndn,
    kOr,
    kOrn,
    kXor,
    kXnor,
    kSll,
    kSrl,
    kSra,
    kAddcc,
    kSubcc,
    kAndcc,
    kOrcc,
    kXorcc,
    kAddxcc,
    kSubxcc,
    kAndncc,
    kOrncc,
    kXnorcc,
    kMulscc,
    // Plain accesses, in the address space that the current mode implies.
    kLoadWord,
    kLoadUnsignedByte,
    kLoadUnsignedHalfword,
    kLoadSignedByte,
    kLoadSignedHalfword,
    kLoadDouble,
    kLoadFloat,
    kLoadFloatDouble,
    kStoreWord,
    kStoreByte,
    kStoreHalfword,
    kStoreDouble,
    kStoreFloat,
    kStoreFloatDouble,
};

/// A decoded instruction word. All members depend on the word alone, except register_operations.
struct DecodedInstruction {
    std::uint32_t word = 0;
    std::uint32_t immediate = 0;  ///< sign-extended simm13 or 0, a displacement, or SETHI's value
    /// Registers that the instruction reads, a bit each: integer registers from bit 0 on, without
    /// %g0, and floating-point registers from bit 32 on. The instruction waits if the previous
    /// instruction loads one of them.
    std::uint64_t reads = 0;
    RegisterOperation operate = nullptr;  ///< null unless the instruction is a register operation
    Operation operation = Operation::kOther;
    InstructionClass instruction_class = InstructionClass::kInteger;
    std::uint8_t rd = 0;
    std::uint8_t rs1 = 0;
    std::uint8_t rs2 = 0;  ///< 0, which reads as 0, if the second operand is the immediate
    /// In a group: number of consecutive register operations from this instruction on.
    std::uint8_t register_operations : 4 = 0;
    bool moves_stack : 1 = false;  ///< SAVE, ADD or SUB of %sp or %fp to %sp: a new stack frame
    // Members for Bicc.
    bool annuls : 1 = false;             ///< annuls the delay slot when not taken
    bool annuls_when_taken : 1 = false;  ///< BA,a: annuls the delay slot although taken
    /// Bit i: the branch is taken if icc is i (N, Z, V, C from bit 3 down).
    std::uint16_t taken = 0;

    /// Registers that a plain load writes, as bits of `reads`.
    [[nodiscard]] std::uint64_t loads() const {
        const std::uint64_t one = std::uint64_t{1} << rd;
        const std::uint64_t two = one | std::uint64_t{1} << (rd | 1);
        switch (operation) {
            case Operation::kLoadDouble:
                return two;
            case Operation::kLoadFloat:
                return one << 32;
            case Operation::kLoadFloatDouble:
                return two << 32;
            default:
                return is_plain_store() ? 0 : one;
        }
    }
    /// True if the instruction is a control transfer.
    [[nodiscard]] bool is_transfer() const {
        return operation >= Operation::kBranch && operation <= Operation::kJmpl;
    }
    [[nodiscard]] bool is_register_operation() const {
        return operation >= Operation::kSethi && operation < Operation::kLoadWord;
    }
    [[nodiscard]] bool is_plain_access() const { return operation >= Operation::kLoadWord; }
    [[nodiscard]] bool is_plain_store() const { return operation >= Operation::kStoreWord; }
    /// True for a branch on icc or a plain load of integers. Such instructions and register
    /// operations change nothing but IntegerUnit::LoopState.
    [[nodiscard]] bool may_wait() const {
        return operation == Operation::kBranch ||
               (operation >= Operation::kLoadWord && operation < Operation::kLoadFloat);
    }
};

[[nodiscard]] DecodedInstruction decode(std::uint32_t word);

/// True for a note on waits: SPARCLE_WAIT_BEGINS or SPARCLE_WAIT_ENDS.
[[nodiscard]] constexpr bool is_note(std::uint32_t word) {
    return word == SPARCLE_NOTE(SPARCLE_WAIT_BEGINS) || word == SPARCLE_NOTE(SPARCLE_WAIT_ENDS);
}

/// Condition of BA, FBA and TA.
inline constexpr unsigned kHoldsAlways = 8;
/// Conditions of CBccc: the coprocessor's condition is 0 (Bempty), or 1 (Bfull).
inline constexpr unsigned kCoprocessorSays0 = 9;
inline constexpr unsigned kCoprocessorSays1 = 4;

/// For each condition of Bicc and Ticc, the sixteen values of icc (N, Z, V, C) that satisfy it, a
/// bit each.
inline constexpr auto kConditionHolds = [] {
    std::array<std::uint16_t, 16> holds{};
    for (unsigned icc = 0; icc < 16; ++icc) {
        const bool negative = (icc & 8) != 0;
        const bool zero = (icc & 4) != 0;
        const bool overflow = (icc & 2) != 0;
        const bool carry = (icc & 1) != 0;
        const std::array<bool, 8> lower{
            false,                         // N
            zero,                          // E
            zero || negative != overflow,  // LE
            negative != overflow,          // L
            carry || zero,                 // LEU
            carry,                         // CS
            negative,                      // NEG
            overflow,                      // VS
        };
        for (unsigned condition = 0; condition < 16; ++condition) {
            // The upper eight conditions are the opposites: A, NE, G, GE, GU, CC, POS, VC.
            const bool upper = condition >= 8;
            if (lower[condition % 8] != upper) {
                holds[condition] = static_cast<std::uint16_t>(holds[condition] | 1U << icc);
            }
        }
    }
    return holds;
}();

/// The decoded instructions in an aligned block of 16 or 32 bytes.
template <std::uint32_t kBytes>
class DecodedGroup {
  public:
    [[nodiscard]] const DecodedInstruction* at(std::uint32_t pc) const {
        return &decoded_[pc / 4 % kInstructions];
    }
    [[nodiscard]] const DecodedInstruction* end() const { return decoded_.data() + kInstructions; }

    /// True if the group was decoded from these bytes.
    [[nodiscard]] bool is_of(const std::uint8_t* bytes) const {
        return std::memcmp(words_.data(), bytes, kBytes) == 0;
    }
    void set(const std::uint8_t* bytes);
    void set(std::uint32_t pc, std::uint32_t word);

  private:
    static constexpr std::uint32_t kInstructions = kBytes / 4;

    void count_register_operations();

    // An unused group has words of 0, and the instructions decoded from them.
    std::array<std::uint32_t, kInstructions> words_{};  // fetched bytes, as in memory
    std::array<DecodedInstruction, kInstructions> decoded_{};
};

/// Cache of decoded instructions, by address. A store, a DMA engine or another program may change
/// memory at any time. A decoded instruction is therefore used only if it was decoded from the word
/// just fetched.
template <std::uint32_t kGroupBytes>
class DecodedInstructions {
  public:
    using Group = DecodedGroup<kGroupBytes>;

    const DecodedInstruction& of(std::uint32_t pc, std::uint32_t word) {
        Group& group = group_of(pc);
        if (group.at(pc)->word != word) [[unlikely]] {
            group.set(pc, word);
        }
        return *group.at(pc);
    }
    /// Returns the group of `pc`, decoded from `bytes`, which were fetched from the group's first
    /// address.
    const Group& group(std::uint32_t pc, const std::uint8_t* bytes) {
        Group& group = group_of(pc);
        if (!group.is_of(bytes)) [[unlikely]] {
            group.set(bytes);
        }
        return group;
    }

    /// The cache of this host thread, for all cores that it emulates; these usually run the same
    /// program.
    [[gnu::noinline]] static DecodedInstructions& of_this_thread() {
        thread_local DecodedInstructions instructions;
        return instructions;
    }

  private:
    static constexpr std::size_t kBytes = 16384;

    Group& group_of(std::uint32_t pc) { return groups_[pc / kGroupBytes % groups_.size()]; }

    std::array<Group, kBytes / kGroupBytes> groups_{};
};

/// Returns the decoded instruction `word` at `pc`, from the cache if possible.
[[nodiscard]] inline const DecodedInstruction& decoded_at(std::uint32_t pc, std::uint32_t word) {
    return DecodedInstructions<16>::of_this_thread().of(pc, word);
}

}  // namespace weir::nodes::sparcle
