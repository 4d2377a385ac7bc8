#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "nodes/sparcle/instruction.h"

namespace weir::nodes::sparcle {

class IntegerUnit;
struct DecodedInstruction;

/// Does what a register operation does to the unit's registers.
using RegisterOperation = void (*)(IntegerUnit& unit, const DecodedInstruction& decoded);

/// What an instruction does, as far as the core has a short way for it.
enum class Operation : std::uint8_t {
    kOther,      ///< the integer unit looks at the word's fields
    kTimedCore,  ///< the same, and the timed core has something to do besides
    kBranch,     ///< Bicc
    kCall,
    kJmpl,
    // Of registers alone: they take integer_cycles and end behind themselves.
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
    // Plain accesses: of an address space that the current mode implies.
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

/// An instruction word and what its fields say: a function of the word, but for
/// register_operations.
struct DecodedInstruction {
    std::uint32_t word = 0;
    std::uint32_t immediate = 0;  ///< simm13 or 0, a displacement, or SETHI's value
    /// The registers whose value it needs, a bit each: integer ones from bit 0 on, without %g0,
    /// floating-point ones from bit 32 on. A load right before it of one of them makes it wait.
    std::uint64_t reads = 0;
    RegisterOperation operate = nullptr;  ///< null: it is none
    Operation operation = Operation::kOther;
    InstructionClass instruction_class = InstructionClass::kInteger;
    std::uint8_t rd = 0;
    std::uint8_t rs1 = 0;
    std::uint8_t rs2 = 0;  ///< 0, which reads as 0, where the second operand is the immediate
    /// In a group: from this one on, so many behind one another are register operations.
    std::uint8_t register_operations : 4 = 0;
    bool moves_stack : 1 = false;  ///< SAVE, ADD or SUB of %sp or %fp to %sp: a frame begins
    // Of Bicc.
    bool annuls : 1 = false;             ///< when it is not taken
    bool annuls_when_taken : 1 = false;  ///< BA,a
    /// For each of the sixteen values of icc (N, Z, V, C from bit 3 down), whether it is taken.
    std::uint16_t taken = 0;

    /// The registers that a plain access loads, as in `reads`.
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
    /// Of control.
    [[nodiscard]] bool is_transfer() const {
        return operation >= Operation::kBranch && operation < Operation::kSethi;
    }
    [[nodiscard]] bool is_register_operation() const {
        return operation >= Operation::kSethi && operation < Operation::kLoadWord;
    }
    [[nodiscard]] bool is_plain_access() const { return operation >= Operation::kLoadWord; }
    [[nodiscard]] bool is_plain_store() const { return operation >= Operation::kStoreWord; }
};

[[nodiscard]] DecodedInstruction decode(std::uint32_t word);

/// The condition of BA, FBA and TA.
inline constexpr unsigned kHoldsAlways = 8;
/// Of CBccc: the coprocessor's condition is 0, or 1.
inline constexpr unsigned kCoprocessorSays0 = 9;
inline constexpr unsigned kCoprocessorSays1 = 4;

/// For each condition of Bicc and Ticc, the sixteen values of icc (N, Z, V, C) under which it
/// holds.
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
            // The upper eight are the opposites: A, NE, G, GE, GU, CC, POS, VC.
            const bool upper = condition >= 8;
            if (lower[condition % 8] != upper) {
                holds[condition] = static_cast<std::uint16_t>(holds[condition] | 1U << icc);
            }
        }
    }
    return holds;
}();

/// Instructions that lie behind one another in 16 or 32 bytes, at a multiple of that.
template <std::uint32_t kBytes>
class DecodedGroup {
  public:
    [[nodiscard]] const DecodedInstruction* at(std::uint32_t pc) const {
        return &decoded_[pc / 4 % kInstructions];
    }
    [[nodiscard]] const DecodedInstruction* end() const { return decoded_.data() + kInstructions; }

    /// Whether they were made from these bytes.
    [[nodiscard]] bool is_of(const std::uint8_t* bytes) const {
        return std::memcmp(words_.data(), bytes, kBytes) == 0;
    }
    void set(const std::uint8_t* bytes);
    void set(std::uint32_t pc, std::uint32_t word);

  private:
    static constexpr std::uint32_t kInstructions = kBytes / 4;

    void count_register_operations();

    // One that is not in use has words of 0, which are decoded like that.
    std::array<std::uint32_t, kInstructions> words_{};  // as they lie in memory
    std::array<DecodedInstruction, kInstructions> decoded_{};
};

/// Instructions that were decoded before, by their address. What stands at an address may change at
/// any time, by a store, a DMA engine or another program: a decoded instruction is used only where
/// it was made from the very word that has just been fetched.
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
    /// All of the group in which `pc` lies; `bytes`: that were fetched from its beginning on.
    const Group& group(std::uint32_t pc, const std::uint8_t* bytes) {
        Group& group = group_of(pc);
        if (!group.is_of(bytes)) [[unlikely]] {
            group.set(bytes);
        }
        return group;
    }

    /// Those of all cores that this thread of the host emulates: they mostly run one program.
    [[gnu::noinline]] static DecodedInstructions& of_this_thread() {
        thread_local DecodedInstructions instructions;
        return instructions;
    }

  private:
    static constexpr std::size_t kBytes = 16384;

    Group& group_of(std::uint32_t pc) { return groups_[pc / kGroupBytes % groups_.size()]; }

    std::array<Group, kBytes / kGroupBytes> groups_{};
};

/// The word at pc, as it was decoded before or is now.
[[nodiscard]] inline const DecodedInstruction& decoded_at(std::uint32_t pc, std::uint32_t word) {
    return DecodedInstructions<16>::of_this_thread().of(pc, word);
}

}  // namespace weir::nodes::sparcle
