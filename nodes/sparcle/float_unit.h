#pragma once

#include <array>
#include <cstdint>

#include "nodes/sparcle/instruction.h"

namespace weir::nodes::sparcle {

/// The floating-point unit: f0 to f31, the FSR, and the FPops of single and double precision.
///
/// A double is in an even register (its upper word) and the next; the lowest bit of the register
/// number is ignored, as in V7. Operations end at once, so exceptions are precise: fp_exception is
/// taken at the FPop itself. The queue is always empty, and STDFQ is a sequence error. Quadruple
/// precision and undefined operations give unimplemented_FPop.
///
/// Arithmetic is the host's IEEE 754 arithmetic. Choices that IEEE 754 leaves open follow SPARC
/// (V8, Appendix N). These choices are the returned NaN, the result of invalid conversions, and
/// tininess before rounding.
class FloatUnit {
  public:
    /// Values of FSR.ftt.
    enum class TrapKind : std::uint8_t { kNone, kIeee754, kUnfinished, kUnimplemented, kSequence };

    /// Bits of FSR.cexc. The bits of aexc are 5 higher, those of TEM 23 higher.
    static constexpr std::uint32_t kInexact = 0x01;
    static constexpr std::uint32_t kDivisionByZero = 0x02;
    static constexpr std::uint32_t kUnderflow = 0x04;
    static constexpr std::uint32_t kOverflow = 0x08;
    static constexpr std::uint32_t kInvalid = 0x10;

    /// \param version FSR.ver, 0 to 7
    /// \param single_to_double whether the unit has FsMULd (V8)
    FloatUnit(std::uint32_t version, bool single_to_double)
        : fsr_(version << 17), single_to_double_(single_to_double) {}

    /// Executes FPop1 and FPop2. Returns false for fp_exception: FSR has the cause, and the
    /// registers are unchanged.
    bool operate(Instruction instruction);
    static InstructionClass class_of(Instruction instruction);

    /// Raises fp_exception for an instruction that needs an entry of the floating-point queue.
    void sequence_error() { set_trap_kind(TrapKind::kSequence); }

    /// FSR.fcc: 0 equal, 1 less, 2 greater, 3 unordered.
    [[nodiscard]] unsigned conditions() const { return (fsr_ >> 10) & 3; }

    [[nodiscard]] std::uint32_t fsr() const { return fsr_; }
    /// LDFSR: sets all bits but ver, ftt, qne and the bits that are always 0.
    void load_fsr(std::uint32_t value) { fsr_ = (fsr_ & ~kLoadable) | (value & kLoadable); }
    /// Clears ftt after STFSR has stored the FSR.
    void fsr_stored() { set_trap_kind(TrapKind::kNone); }
    /// Sets FSR with ftt, for a debugger.
    void set_fsr(std::uint32_t value) {
        fsr_ = (fsr_ & ~(kLoadable | kTrapKind)) | (value & (kLoadable | kTrapKind));
    }

    [[nodiscard]] std::uint32_t read(unsigned number) const { return registers_[number]; }
    void write(unsigned number, std::uint32_t value) { registers_[number] = value; }
    [[nodiscard]] std::uint64_t read_double(unsigned number) const {
        return (std::uint64_t{registers_[number & ~1U]} << 32) | registers_[number | 1U];
    }
    void write_double(unsigned number, std::uint64_t value) {
        registers_[number & ~1U] = static_cast<std::uint32_t>(value >> 32);
        registers_[number | 1U] = static_cast<std::uint32_t>(value);
    }

  private:
    static constexpr std::uint32_t kLoadable = 0xcf800fff;
    static constexpr std::uint32_t kTrapKind = 7U << 14;
    static constexpr std::uint32_t kCurrent = 0x1f;

    void set_trap_kind(TrapKind kind) {
        fsr_ = (fsr_ & ~kTrapKind) | (static_cast<std::uint32_t>(kind) << 14);
    }
    /// Sets cexc, aexc and ftt after an operation that raised these exceptions. Returns false if
    /// one of them traps.
    bool raise(std::uint32_t exceptions);

    template <class T>
    [[nodiscard]] T operand(unsigned number) const;
    template <class T>
    bool give(unsigned number, T value, std::uint32_t exceptions);
    template <class T>
    bool arithmetic(Instruction instruction, unsigned operation);
    template <class T>
    bool square_root(Instruction instruction);
    template <class T>
    bool compare(Instruction instruction, bool any_nan_is_invalid);
    template <class T>
    bool to_integer(Instruction instruction);
    template <class To, class From>
    bool convert(Instruction instruction);
    bool multiply_to_double(Instruction instruction);

    std::array<std::uint32_t, 32> registers_{};
    std::uint32_t fsr_;
    bool single_to_double_;
};

}  // namespace weir::nodes::sparcle
