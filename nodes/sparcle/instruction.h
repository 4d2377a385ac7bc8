#pragma once

#include <cstdint>

namespace weir::nodes::sparcle {

/// Classes of instructions with the same cycles (Timing).
enum class InstructionClass : std::uint8_t {
    kInteger,  ///< arithmetic, logic, shifts, SETHI, SAVE, RESTORE, MULScc, FLUSH
    kBranch,   ///< Bicc and FBfcc, taken or not
    kAnnulled,
    kCall,
    kJmpl,
    kRett,
    kLoad,
    kLoadDouble,
    kStore,  ///< also IPILAUNCH and IPICST
    kStoreDouble,
    kAtomic,
    kMultiply,
    kDivide,
    kTicc,           ///< Ticc that does not trap
    kStateRegister,  ///< reads and writes of state registers, RDY to WRTBR
    kCoprocessor,    ///< NEXTF, PREVF
    kFloatMove,
    kFloatAdd,
    kFloatCompare,
    kFloatConvert,
    kFloatMultiplySingle,
    kFloatMultiplyDouble,  ///< also FsMULd
    kFloatDivideSingle,
    kFloatDivideDouble,
    kFloatSqrtSingle,
    kFloatSqrtDouble,
};
inline constexpr unsigned kInstructionClasses =
    static_cast<unsigned>(InstructionClass::kFloatSqrtDouble) + 1;

/// An instruction word and its fields (SPARC V7 and V8, formats 1 to 3).
struct Instruction {
    std::uint32_t word;

    [[nodiscard]] constexpr unsigned op() const { return word >> 30; }
    [[nodiscard]] constexpr unsigned op2() const { return (word >> 22) & 7; }
    [[nodiscard]] constexpr unsigned op3() const { return (word >> 19) & 0x3f; }
    [[nodiscard]] constexpr unsigned rd() const { return (word >> 25) & 0x1f; }
    [[nodiscard]] constexpr unsigned rs1() const { return (word >> 14) & 0x1f; }
    [[nodiscard]] constexpr unsigned rs2() const { return word & 0x1f; }
    [[nodiscard]] constexpr bool immediate() const { return ((word >> 13) & 1) != 0; }
    [[nodiscard]] constexpr std::uint32_t simm13() const { return extended(word, 13); }
    [[nodiscard]] constexpr std::uint8_t asi() const {
        return static_cast<std::uint8_t>(word >> 5);
    }
    [[nodiscard]] constexpr unsigned opf() const { return (word >> 5) & 0x1ff; }
    [[nodiscard]] constexpr bool annul() const { return ((word >> 29) & 1) != 0; }
    [[nodiscard]] constexpr unsigned condition() const { return (word >> 25) & 0xf; }
    /// Displacement of a branch or of CALL, in bytes.
    [[nodiscard]] constexpr std::uint32_t displacement22() const { return extended(word, 22) << 2; }
    [[nodiscard]] constexpr std::uint32_t displacement30() const { return word << 2; }

    /// Sign-extends the lower `bits` of `value`.
    static constexpr std::uint32_t extended(std::uint32_t value, unsigned bits) {
        const std::uint32_t sign = std::uint32_t{1} << (bits - 1);
        return ((value & ((sign << 1) - 1)) ^ sign) - sign;
    }
};

/// op2 of format 2 (op = 0).
enum Op2 : std::uint8_t { kUnimp = 0, kBicc = 2, kSethi = 4, kFbfcc = 6, kCbccc = 7 };

/// op3 of arithmetic and control (op = 2).
enum Op3 : std::uint8_t {
    kAdd = 0x00,
    kAnd = 0x01,
    kOr = 0x02,
    kXor = 0x03,
    kSub = 0x04,
    kAndn = 0x05,
    kOrn = 0x06,
    kXnor = 0x07,
    kAddx = 0x08,
    kUmul = 0x0a,
    kSmul = 0x0b,
    kSubx = 0x0c,
    kUdiv = 0x0e,
    kSdiv = 0x0f,
    kSetsConditions = 0x10,  ///< bit of op3 that makes an operation above set icc
    kAddcc = 0x10,
    kAndcc = 0x11,
    kOrcc = 0x12,
    kXorcc = 0x13,
    kSubcc = 0x14,
    kAndncc = 0x15,
    kOrncc = 0x16,
    kXnorcc = 0x17,
    kAddxcc = 0x18,
    kUmulcc = 0x1a,
    kSmulcc = 0x1b,
    kSubxcc = 0x1c,
    kUdivcc = 0x1e,
    kSdivcc = 0x1f,
    kTaddcc = 0x20,
    kTsubcc = 0x21,
    kTaddccTv = 0x22,
    kTsubccTv = 0x23,
    kMulscc = 0x24,
    kSll = 0x25,
    kSrl = 0x26,
    kSra = 0x27,
    kRdy = 0x28,
    kRdpsr = 0x29,
    kRdwim = 0x2a,
    kRdtbr = 0x2b,
    kWry = 0x30,
    kWrpsr = 0x31,
    kWrwim = 0x32,
    kWrtbr = 0x33,
    kFpop1 = 0x34,
    kFpop2 = 0x35,
    kCpop1 = 0x36,
    kCpop2 = 0x37,
    kJmplOp3 = 0x38,
    kRettOp3 = 0x39,
    kTiccOp3 = 0x3a,
    kFlush = 0x3b,
    kSave = 0x3c,
    kRestore = 0x3d,
};

/// Registers with a fixed use in compiled code (SPARC V8, appendix D).
inline constexpr unsigned kStackPointer = 14;  ///< %sp, which is %o6
inline constexpr unsigned kOutLink = 15;       ///< %o7, where CALL leaves its own address
inline constexpr unsigned kFramePointer = 30;  ///< %fp, which is %i6
inline constexpr unsigned kInLink = 31;        ///< %i7, the caller's %o7 after a SAVE

/// op3 of loads and stores (op = 3).
enum AccessOp3 : std::uint8_t {
    kLd = 0x00,
    kLdub = 0x01,
    kLduh = 0x02,
    kLdd = 0x03,
    kSt = 0x04,
    kStb = 0x05,
    kSth = 0x06,
    kStd = 0x07,
    kLdsb = 0x09,
    kLdsh = 0x0a,
    kLdstub = 0x0d,
    kSwap = 0x0f,
    kAlternate = 0x10,  ///< bit of op3 for an access above with an address space identifier
    kLdf = 0x20,
    kLdfsr = 0x21,
    kLddf = 0x23,
    kStf = 0x24,
    kStfsr = 0x25,
    kStdfq = 0x26,
    kStdf = 0x27,
    kLdc = 0x30,
    kLdcsr = 0x31,
    kLddc = 0x33,
    kStc = 0x34,
    kStcsr = 0x35,
    kStdcq = 0x36,
    kStdc = 0x37,
};

/// opf of FPop1, and from kFcmps on of FPop2. Quadruple precision is missing, as in the unit.
enum Opf : std::uint16_t {
    kFmovs = 0x001,
    kFnegs = 0x005,
    kFabss = 0x009,
    kFsqrts = 0x029,
    kFsqrtd = 0x02a,
    kFadds = 0x041,
    kFaddd = 0x042,
    kFsubs = 0x045,
    kFsubd = 0x046,
    kFmuls = 0x049,
    kFmuld = 0x04a,
    kFdivs = 0x04d,
    kFdivd = 0x04e,
    kFsmuld = 0x069,
    kFitos = 0x0c4,
    kFdtos = 0x0c6,
    kFitod = 0x0c8,
    kFstod = 0x0c9,
    kFstoi = 0x0d1,
    kFdtoi = 0x0d2,
    kFcmps = 0x051,
    kFcmpd = 0x052,
    kFcmpes = 0x055,
    kFcmped = 0x056,
};

}  // namespace weir::nodes::sparcle
