#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "nodes/sparcle/instruction.h"

namespace weir::nodes::sparcle {

/// What an instruction does, as far as the core has a short way for it.
enum class Operation : std::uint8_t {
    kOther,      ///< the integer unit looks at the word's fields
    kTimedCore,  ///< the same, and the timed core has something to do besides
    kSethi,
    kBranch,  ///< Bicc
    kCall,
    kJmpl,
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

/// An instruction word and what its fields say: a function of the word and of nothing else.
struct DecodedInstruction {
    std::uint32_t word = 0;
    std::uint32_t immediate = 0;  ///< simm13 or 0, a displacement, or SETHI's value
    /// The registers whose value it needs, a bit each: integer ones from bit 0 on, without %g0,
    /// floating-point ones from bit 32 on. A load right before it of one of them makes it wait.
    std::uint64_t reads = 0;
    std::uint64_t loads = 0;  ///< the registers that a plain access loads, in the same way
    Operation operation = Operation::kOther;
    InstructionClass instruction_class = InstructionClass::kInteger;
    std::uint8_t rd = 0;
    std::uint8_t rs1 = 0;
    std::uint8_t rs2 = 0;  ///< 0, which reads as 0, where the second operand is the immediate
    bool goes_elsewhere : 1 = false;  ///< or annuls: what is executed next need not lie behind it
    bool moves_stack : 1 = false;     ///< SAVE, ADD or SUB of %sp or %fp to %sp: a frame begins
    // Of Bicc.
    bool annuls : 1 = false;             ///< when it is not taken
    bool annuls_when_taken : 1 = false;  ///< BA,a
    /// For each of the sixteen values of icc (N, Z, V, C from bit 3 down), whether it is taken.
    std::uint16_t taken = 0;

    /// Whether the core's short way has all of it but accesses.
    [[nodiscard]] bool is_plain_operation() const {
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

/// Instructions that were decoded before, by their address, four to a group. What stands at an
/// address may change at any time, by a store, a DMA engine or another program: a decoded
/// instruction is used only where it was made from the very word that has just been fetched.
class DecodedInstructions {
  public:
    static constexpr std::uint32_t kInGroup = 4;
    static constexpr std::uint32_t kGroupBytes = kInGroup * 4;

    const DecodedInstruction& of(std::uint32_t pc, std::uint32_t word) {
        Group& group = group_of(pc);
        const std::uint32_t place = pc / 4 % kInGroup;
        if (group.decoded[place].word != word) [[unlikely]] {
            group.words[place] = __builtin_bswap32(word);
            group.decoded[place] = decode(word);
        }
        return group.decoded[place];
    }
    /// All of the group in which `pc` lies; `bytes`: that were fetched from its beginning on.
    const std::array<DecodedInstruction, kInGroup>& group(std::uint32_t pc,
                                                          const std::uint8_t* bytes) {
        Group& group = group_of(pc);
        if (std::memcmp(group.words.data(), bytes, kGroupBytes) != 0) [[unlikely]] {
            decode_group(group, bytes);
        }
        return group.decoded;
    }

    /// Those of all cores that this thread of the host emulates: they mostly run one program.
    [[gnu::noinline]] static DecodedInstructions& of_this_thread();

  private:
    static constexpr std::size_t kGroups = 1024;
    // A group that is not in use has words of 0, which are decoded like that.
    struct Group {
        std::array<std::uint32_t, kInGroup> words{};  // as they lie in memory
        std::array<DecodedInstruction, kInGroup> decoded{};
    };

    Group& group_of(std::uint32_t pc) { return groups_[pc / kGroupBytes % kGroups]; }
    [[gnu::noinline]] static void decode_group(Group& group, const std::uint8_t* bytes);

    std::array<Group, kGroups> groups_{};
};

}  // namespace weir::nodes::sparcle
