#include "nodes/sparcle/disassembly.h"

#include <array>
#include <string_view>

#include "hw/text_streams.h"
#include "nodes/sparcle/architecture.h"
#include "nodes/sparcle/instruction.h"

namespace weir::nodes::sparcle {

namespace {

/// Conditions of Bicc and, with a leading t, of Ticc.
constexpr std::array<std::string_view, 16> kConditions = {
    "n", "e",  "le", "l",  "leu", "cs", "neg", "vs",  //
    "",  "ne", "g",  "ge", "gu",  "cc", "pos", "vc"};
constexpr std::array<std::string_view, 16> kFloatConditions = {
    "n", "ne", "lg", "ul", "l",   "ug", "g",   "u",  //
    "a", "e",  "ue", "ge", "uge", "le", "ule", "o"};

/// Conditions of CBccc in GNU's assembler. Sparcle's coprocessor condition is 0 (the word was
/// empty) or 1.
constexpr std::array<std::string_view, 16> kCoprocessorConditions = {
    "n", "123", "12", "13", "1",   "23", "2",   "3",  //
    "a", "0",   "03", "02", "023", "01", "013", "012"};

/// Mnemonics by op3; empty for an invalid op3 or one without three operands.
constexpr std::array<std::string_view, 64> kArithmetic = {
    "add",    "and",    "or",       "xor",      "sub",    "andn",   "orn",    "xnor",    //
    "addx",   "",       "umul",     "smul",     "subx",   "",       "udiv",   "sdiv",    //
    "addcc",  "andcc",  "orcc",     "xorcc",    "subcc",  "andncc", "orncc",  "xnorcc",  //
    "addxcc", "",       "umulcc",   "smulcc",   "subxcc", "",       "udivcc", "sdivcc",  //
    "taddcc", "tsubcc", "taddcctv", "tsubcctv", "mulscc", "sll",    "srl",    "sra",     //
    "",       "",       "",         "",         "",       "",       "",       "",        //
    "",       "",       "",         "",         "",       "",       "",       "",        //
    "",       "",       "",         "",         "save",   "restore"};

struct AccessName {
    AccessOp3 op3;
    std::string_view name;
    bool stores;
};
constexpr std::array kAccesses = {
    AccessName{kLd, "ld", false},         AccessName{kLdub, "ldub", false},
    AccessName{kLduh, "lduh", false},     AccessName{kLdd, "ldd", false},
    AccessName{kSt, "st", true},          AccessName{kStb, "stb", true},
    AccessName{kSth, "sth", true},        AccessName{kStd, "std", true},
    AccessName{kLdsb, "ldsb", false},     AccessName{kLdsh, "ldsh", false},
    AccessName{kLdstub, "ldstub", false}, AccessName{kSwap, "swap", false},
    AccessName{kLdf, "ld", false},        AccessName{kLdfsr, "ld", false},
    AccessName{kLddf, "ldd", false},      AccessName{kStf, "st", true},
    AccessName{kStfsr, "st", true},       AccessName{kStdfq, "std", true},
    AccessName{kStdf, "std", true}};

struct FloatName {
    Opf opf;
    std::string_view name;
    unsigned operands;
};
constexpr std::array kFloats = {
    FloatName{kFmovs, "fmovs", 1},   FloatName{kFnegs, "fnegs", 1},   FloatName{kFabss, "fabss", 1},
    FloatName{kFsqrts, "fsqrts", 1}, FloatName{kFsqrtd, "fsqrtd", 1}, FloatName{kFadds, "fadds", 2},
    FloatName{kFaddd, "faddd", 2},   FloatName{kFsubs, "fsubs", 2},   FloatName{kFsubd, "fsubd", 2},
    FloatName{kFmuls, "fmuls", 2},   FloatName{kFmuld, "fmuld", 2},   FloatName{kFdivs, "fdivs", 2},
    FloatName{kFdivd, "fdivd", 2},   FloatName{kFsmuld, "fsmuld", 2}, FloatName{kFitos, "fitos", 1},
    FloatName{kFdtos, "fdtos", 1},   FloatName{kFitod, "fitod", 1},   FloatName{kFstod, "fstod", 1},
    FloatName{kFstoi, "fstoi", 1},   FloatName{kFdtoi, "fdtoi", 1}};
constexpr std::array kFloatCompares = {FloatName{kFcmps, "fcmps", 2}, FloatName{kFcmpd, "fcmpd", 2},
                                       FloatName{kFcmpes, "fcmpes", 2},
                                       FloatName{kFcmped, "fcmped", 2}};

// Small and negative numbers are decimal.
std::string number(std::uint32_t value) {
    const auto with_sign = static_cast<std::int32_t>(value);
    return with_sign <= 9 ? std::to_string(with_sign) : hw::hexadecimal(value);
}

std::string reg(unsigned number) {
    if (number == kStackPointer) {
        return "%sp";
    }
    if (number == kFramePointer) {
        return "%fp";
    }
    constexpr std::string_view kGroups = "goli";
    return std::string("%") + kGroups[number / 8] + std::to_string(number % 8);
}

std::string float_reg(unsigned number) { return "%f" + std::to_string(number); }

std::string second_operand(Instruction instruction) {
    return instruction.immediate() ? number(instruction.simm13()) : reg(instruction.rs2());
}

bool has_no_second(Instruction instruction) {
    return instruction.immediate() ? instruction.simm13() == 0 : instruction.rs2() == 0;
}

std::string address(Instruction instruction) {
    if (has_no_second(instruction)) {
        return reg(instruction.rs1());
    }
    if (instruction.rs1() == 0 && instruction.immediate()) {
        return second_operand(instruction);
    }
    return reg(instruction.rs1()) + " + " + second_operand(instruction);
}

std::string words(std::string_view name, const std::string& first, const std::string& second = {},
                  const std::string& third = {}) {
    std::string text(name);
    text += " " + first;
    for (const std::string* const more : {&second, &third}) {
        text += more->empty() ? "" : ", " + *more;
    }
    return text;
}

std::string format_2(Instruction instruction, std::uint32_t pc) {
    const std::uint32_t target = pc + instruction.displacement22();
    const std::string annul = instruction.annul() ? ",a" : "";
    switch (instruction.op2()) {
        case kUnimp:
            return words("unimp", number(instruction.word & 0x3fffff));
        case kBicc:
            return words("b" + std::string(kConditions[instruction.condition()]) + annul,
                         hw::hexadecimal(target));
        case kFbfcc:
            return words("fb" + std::string(kFloatConditions[instruction.condition()]) + annul,
                         hw::hexadecimal(target));
        case kCbccc:
            return words(
                "cb" + std::string(kCoprocessorConditions[instruction.condition()]) + annul,
                hw::hexadecimal(target));
        case kSethi:
            if (instruction.word << 10 == 0 && instruction.rd() == 0) {
                return "nop";
            }
            return words("sethi", "%hi(" + hw::hexadecimal(instruction.word << 10) + ")",
                         reg(instruction.rd()));
        default:
            return {};
    }
}

// Returns the short form of an instruction with three operands; empty if it has none.
std::string short_form(Instruction instruction) {
    const unsigned rd = instruction.rd();
    const unsigned rs1 = instruction.rs1();
    const std::string second = second_operand(instruction);
    const bool is_by_one = instruction.immediate() && instruction.simm13() == 1 && rd == rs1;
    switch (instruction.op3()) {
        case kOr:
            if (rs1 == 0) {
                return has_no_second(instruction) ? words("clr", reg(rd))
                                                  : words("mov", second, reg(rd));
            }
            if (has_no_second(instruction)) {
                return words("mov", reg(rs1), reg(rd));
            }
            return {};
        case kOrcc:
            if (rd == 0 && !instruction.immediate() && (rs1 == 0 || instruction.rs2() == 0)) {
                return words("tst", reg(rs1 | instruction.rs2()));
            }
            return {};
        case kSubcc:
            if (rd == 0) {
                return words("cmp", reg(rs1), second);
            }
            return is_by_one ? words("deccc", reg(rd)) : "";
        case kAndcc:
            if (rd != 0) {
                return {};
            }
            return instruction.immediate() ? words("btst", second, reg(rs1))
                                           : words("btst", reg(rs1), second);
        case kAdd:
            return is_by_one ? words("inc", reg(rd)) : "";
        case kAddcc:
            return is_by_one ? words("inccc", reg(rd)) : "";
        case kSub:
            if (rs1 == 0 && !instruction.immediate()) {
                return words("neg", second, rd == instruction.rs2() ? "" : reg(rd));
            }
            return is_by_one ? words("dec", reg(rd)) : "";
        case kSave:
        case kRestore:
            if (rd == 0 && rs1 == 0 && !instruction.immediate() && instruction.rs2() == 0) {
                return std::string(kArithmetic[instruction.op3()]);
            }
            return {};
        default:
            return {};
    }
}

std::string jump(Instruction instruction) {
    constexpr std::uint32_t kBehindDelaySlot = 8;
    if (instruction.rd() == kOutLink) {
        return words("call", address(instruction));
    }
    if (instruction.rd() != 0) {
        return words("jmpl", address(instruction), reg(instruction.rd()));
    }
    const bool returns = instruction.immediate() && instruction.simm13() == kBehindDelaySlot;
    if (returns && instruction.rs1() == kInLink) {
        return "ret";
    }
    return returns && instruction.rs1() == kOutLink ? "retl" : words("jmp", address(instruction));
}

std::string coprocessor(Instruction instruction) {
    switch (instruction.opf()) {
        case SPARCLE_NEXTF:
            return "nextf";
        case SPARCLE_PREVF:
            return "prevf";
        case SPARCLE_IPILAUNCH:
            return words("ipilaunch", reg(instruction.rs1()));
        case SPARCLE_IPICST_STORE:
            return words("ipicst store", reg(instruction.rs1()));
        case SPARCLE_IPICST_STORE_AND_INTERRUPT:
            return words("ipicst store and interrupt", reg(instruction.rs1()));
        case SPARCLE_IPICST_DISCARD:
            return "ipicst discard";
        default:
            return {};
    }
}

std::string float_operation(Instruction instruction) {
    for (const FloatName& known : kFloats) {
        if (instruction.op3() == kFpop1 && instruction.opf() == known.opf) {
            const std::string last = float_reg(instruction.rs2());
            return known.operands == 1 ? words(known.name, last, float_reg(instruction.rd()))
                                       : words(known.name, float_reg(instruction.rs1()), last,
                                               float_reg(instruction.rd()));
        }
    }
    for (const FloatName& known : kFloatCompares) {
        if (instruction.op3() == kFpop2 && instruction.opf() == known.opf) {
            return words(known.name, float_reg(instruction.rs1()), float_reg(instruction.rs2()));
        }
    }
    return {};
}

std::string write_state(Instruction instruction, std::string_view state) {
    const std::string to(state);
    if (instruction.rs1() == 0) {
        return words("wr", second_operand(instruction), to);
    }
    if (!instruction.immediate() && instruction.rs2() == 0) {
        return words("wr", reg(instruction.rs1()), to);
    }
    return words("wr", reg(instruction.rs1()), second_operand(instruction), to);
}

std::string arithmetic(Instruction instruction) {
    constexpr std::array<std::string_view, 4> kStates = {"%y", "%psr", "%wim", "%tbr"};
    const unsigned op3 = instruction.op3();
    switch (op3) {
        case kRdy:
            if (instruction.rs1() != 0) {
                constexpr unsigned kStbar = 15;
                return instruction.rs1() == kStbar && instruction.rd() == 0 ? "stbar" : "";
            }
            [[fallthrough]];
        case kRdpsr:
        case kRdwim:
        case kRdtbr:
            return words("rd", std::string(kStates[op3 - kRdy]), reg(instruction.rd()));
        case kWry:
        case kWrpsr:
        case kWrwim:
        case kWrtbr:
            return op3 == kWry && instruction.rd() != 0
                       ? ""
                       : write_state(instruction, kStates[op3 - kWry]);
        case kFpop1:
        case kFpop2:
            return float_operation(instruction);
        case kCpop1:
            return coprocessor(instruction);
        case kJmplOp3:
            return jump(instruction);
        case kRettOp3:
            return words("rett", address(instruction));
        case kTiccOp3:
            return words("t" + std::string(instruction.condition() == 8
                                               ? "a"
                                               : kConditions[instruction.condition()]),
                         address(instruction));
        case kFlush:
            return words("flush", address(instruction));
        default:
            break;
    }
    std::string shorter = short_form(instruction);
    if (!shorter.empty() || kArithmetic[op3].empty()) {
        return shorter;
    }
    return words(kArithmetic[op3], reg(instruction.rs1()), second_operand(instruction),
                 reg(instruction.rd()));
}

std::string clearing(unsigned op3) {
    switch (op3) {
        case kSt:
            return "clr";
        case kStb:
            return "clrb";
        case kSth:
            return "clrh";
        default:
            return {};
    }
}

std::string access(Instruction instruction) {
    const bool is_of_floats = instruction.op3() >= kLdf && instruction.op3() <= kStdf;
    const bool is_alternate = instruction.op3() < kLdf && (instruction.op3() & kAlternate) != 0;
    const unsigned op3 = instruction.op3() & ~(is_alternate ? unsigned{kAlternate} : 0U);
    for (const AccessName& known : kAccesses) {
        if (known.op3 != op3 || (is_alternate && instruction.immediate())) {
            continue;
        }
        std::string data = is_of_floats ? float_reg(instruction.rd()) : reg(instruction.rd());
        if (op3 == kLdfsr || op3 == kStfsr) {
            data = "%fsr";
        } else if (op3 == kStdfq) {
            data = "%fq";
        }
        std::string name(known.name);
        std::string place = "[" + address(instruction) + "]";
        if (is_alternate && instruction.asi() == SPARCLE_ASI_IO) {
            name += "io";
        } else if (is_alternate) {
            name += "a";
            place += " " + hw::hexadecimal(instruction.asi());
        } else if (instruction.rd() == 0 && !clearing(op3).empty()) {
            return words(clearing(op3), place);
        }
        return known.stores ? words(name, data, place) : words(name, place, data);
    }
    return {};
}

}  // namespace

std::string disassembly(std::uint32_t word, std::uint32_t pc) {
    const Instruction instruction{word};
    std::string text;
    switch (instruction.op()) {
        case 0:
            text = format_2(instruction, pc);
            break;
        case 1:
            text = words("call", hw::hexadecimal(pc + instruction.displacement30()));
            break;
        case 2:
            text = arithmetic(instruction);
            break;
        default:
            text = access(instruction);
            break;
    }
    return text.empty() ? ".word " + hw::hexadecimal(word) : text;
}

}  // namespace weir::nodes::sparcle
