#include "nodes/sparcle/disassembly.h"

#include <gtest/gtest.h>

#include "nodes/sparcle/architecture.h"
#include "nodes/sparcle/testing/assembler.h"

namespace weir::nodes::sparcle {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): an assembler's mnemonics

struct Line {
    std::uint32_t word;
    const char* text;
};

void PrintTo(const Line& line, std::ostream* out) {  // NOLINT(readability-identifier-naming)
    *out << line.text;
}

class DisassemblyTest : public ::testing::TestWithParam<Line> {};

TEST_P(DisassemblyTest, IsAsAnAssemblerReadsIt) {
    EXPECT_EQ(disassembly(GetParam().word, 0x1000), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    OfSparc, DisassemblyTest,
    ::testing::Values(Line{kNop, "nop"}, Line{sethi(g(1), 0), "sethi %hi(0x0), %g1"},
                      Line{sethi(g(0), 0x400), "sethi %hi(0x400), %g0"},
                      Line{sethi(g(1), 0x12345400), "sethi %hi(0x12345400), %g1"},
                      Line{branch(kBicc, 8, false, 4), "b 0x1010"},
                      Line{branch(kBicc, 9, true, -4), "bne,a 0xff0"},
                      Line{branch(kFbfcc, 1, false, 4), "fbne 0x1010"},
                      Line{branch(kCbccc, 4, true, 4), "cb1,a 0x1010"},
                      Line{call(0x400), "call 0x2000"}, Line{7, "unimp 7"},
                      Line{operation(kAdd, g(1), o(2), l(3)), "add %o2, %l3, %g1"},
                      Line{operation_immediate(kSubcc, 0, i(4), 64), "cmp %i4, 0x40"},
                      Line{operation_immediate(kSave, 14, 14, -96), "save %sp, -96, %sp"},
                      Line{operation(kRestore, 0, 0, 0), "restore"},
                      Line{operation_immediate(kJmplOp3, 0, i(7), 8), "ret"},
                      Line{operation_immediate(kJmplOp3, 0, o(7), 8), "retl"},
                      Line{operation(kJmplOp3, o(7), g(3), 0), "call %g3"},
                      Line{operation(kRettOp3, 0, l(2), 0), "rett %l2"},
                      Line{operation_immediate(kTiccOp3, 8, 0, 3), "ta 3"},
                      Line{operation(kWrpsr, 0, l(0), 0), "wr %l0, %psr"},
                      Line{operation(kRdtbr, l(3), 0, 0), "rd %tbr, %l3"},
                      Line{operation(kUmul, g(1), g(2), g(3)), "umul %g2, %g3, %g1"},
                      Line{access(kLd, l(3), g(7), 0x28), "ld [%g7 + 0x28], %l3"},
                      Line{access(kStd, l(0), 14, 0), "std %l0, [%sp]"},
                      Line{access(kSt, 0, 30, -4), "clr [%fp + -4]"},
                      Line{access(kLddf, 2, g(1), 0), "ldd [%g1], %f2"},
                      Line{access(kLdfsr, 0, g(1), 0), "ld [%g1], %fsr"},
                      Line{float_operation(kFmuld, 0, 2, 4), "fmuld %f2, %f4, %f0"},
                      Line{float_operation(kFcmps, 0, 2, 4), "fcmps %f2, %f4"},
                      Line{float_operation(kFitod, 2, 0, 4), "fitod %f4, %f2"},
                      Line{0x8db00000 | 0x1ff << 5, ".word 0x8db03fe0"}));

INSTANTIATE_TEST_SUITE_P(
    OfShortForms, DisassemblyTest,
    ::testing::Values(Line{operation(kOr, g(1), 0, 0), "clr %g1"},
                      Line{operation_immediate(kOr, g(1), 0, 5), "mov 5, %g1"},
                      Line{operation(kOr, g(1), g(2), 0), "mov %g2, %g1"},
                      Line{operation(kOr, g(1), g(2), g(3)), "or %g2, %g3, %g1"},
                      Line{operation(kOrcc, 0, g(2), 0), "tst %g2"},
                      Line{operation(kOrcc, 0, 0, g(3)), "tst %g3"},
                      Line{operation(kOrcc, g(1), g(2), 0), "orcc %g2, %g0, %g1"},
                      Line{operation_immediate(kOrcc, 0, 0, 1), "orcc %g0, 1, %g0"},
                      Line{operation_immediate(kAndcc, 0, g(2), 4), "btst 4, %g2"},
                      Line{operation(kAndcc, 0, g(2), g(3)), "btst %g2, %g3"},
                      Line{operation(kAndcc, g(1), g(2), g(3)), "andcc %g2, %g3, %g1"},
                      Line{operation_immediate(kAdd, g(1), g(1), 1), "inc %g1"},
                      Line{operation_immediate(kAddcc, g(1), g(1), 1), "inccc %g1"},
                      Line{operation_immediate(kAddcc, g(1), g(1), 2), "addcc %g1, 2, %g1"},
                      Line{operation_immediate(kAddcc, g(1), g(2), 1), "addcc %g2, 1, %g1"},
                      Line{operation(kAddcc, g(1), g(1), g(1)), "addcc %g1, %g1, %g1"},
                      Line{operation_immediate(kSub, g(1), g(1), 1), "dec %g1"},
                      Line{operation(kSub, g(1), 0, g(1)), "neg %g1"},
                      Line{operation(kSub, g(1), 0, g(2)), "neg %g2, %g1"},
                      Line{operation_immediate(kSub, g(1), 0, 2), "sub %g0, 2, %g1"},
                      Line{operation_immediate(kSubcc, g(1), g(1), 1), "deccc %g1"},
                      Line{operation(kSave, 0, 0, 0), "save"},
                      Line{operation_immediate(kRestore, 0, 0, 1), "restore %g0, 1, %g0"},
                      Line{operation_immediate(kJmplOp3, l(0), g(3), 0), "jmpl %g3, %l0"},
                      Line{operation(kJmplOp3, 0, g(3), g(4)), "jmp %g3 + %g4"},
                      Line{operation_immediate(kJmplOp3, 0, i(7), 12), "jmp %i7 + 0xc"},
                      Line{operation_immediate(kJmplOp3, 0, o(7), 12), "jmp %o7 + 0xc"},
                      Line{operation_immediate(kJmplOp3, 0, 0, 0x40), "jmp 0x40"}));

// Ancillary registers share Y's opcode; SPARC V8 names one of them.
INSTANTIATE_TEST_SUITE_P(
    OfStates, DisassemblyTest,
    ::testing::Values(Line{operation(kRdy, g(1), 0, 0), "rd %y, %g1"},
                      Line{operation(kRdy, 0, 15, 0), "stbar"},
                      Line{operation(kRdy, g(1), 15, 0), ".word 0x8343c000"},
                      Line{operation(kRdy, 0, g(1), 0), ".word 0x81404000"},
                      Line{operation(kRdpsr, g(1), 0, 0), "rd %psr, %g1"},
                      Line{operation(kRdwim, g(1), 0, 0), "rd %wim, %g1"},
                      Line{operation(kWry, 0, g(1), g(2)), "wr %g1, %g2, %y"},
                      Line{operation(kWry, g(1), g(1), g(2)), ".word 0x83804002"},
                      Line{operation_immediate(kWrwim, 0, 0, 2), "wr 2, %wim"},
                      Line{operation_immediate(kWrtbr, 0, g(1), 0), "wr %g1, 0, %tbr"},
                      Line{operation_immediate(kTiccOp3, 1, g(1), 0), "te %g1"}));

INSTANTIATE_TEST_SUITE_P(
    OfAccesses, DisassemblyTest,
    ::testing::Values(Line{access(kLdub, g(2), g(1), 0), "ldub [%g1], %g2"},
                      Line{access(kLduh, g(2), g(1), 0), "lduh [%g1], %g2"},
                      Line{access(kLdsb, g(2), g(1), 0), "ldsb [%g1], %g2"},
                      Line{access(kLdsh, g(2), g(1), 0), "ldsh [%g1], %g2"},
                      Line{access(kLdd, g(2), g(1), 0), "ldd [%g1], %g2"},
                      Line{access(kLdstub, g(2), g(1), 0), "ldstub [%g1], %g2"},
                      Line{access(kSwap, g(2), g(1), 0), "swap [%g1], %g2"},
                      Line{access(kSt, g(2), g(1), 0), "st %g2, [%g1]"},
                      Line{access(kStb, g(2), g(1), 0), "stb %g2, [%g1]"},
                      Line{access(kSth, g(2), g(1), 0), "sth %g2, [%g1]"},
                      Line{access(kStb, 0, g(1), 0), "clrb [%g1]"},
                      Line{access(kSth, 0, g(1), 0), "clrh [%g1]"},
                      Line{access(kStd, 0, g(1), 0), "std %g0, [%g1]"},
                      Line{access(kLdf, 3, g(1), 0), "ld [%g1], %f3"},
                      Line{access(kStf, 3, g(1), 0), "st %f3, [%g1]"},
                      Line{access(kStdf, 2, g(1), 0), "std %f2, [%g1]"},
                      Line{access(kStfsr, 0, g(1), 0), "st %fsr, [%g1]"},
                      Line{access(kStdfq, 0, g(1), 0), "std %fq, [%g1]"},
                      Line{alternate(kLdub, g(2), g(1), 0, 0x0b), "lduba [%g1] 0xb, %g2"},
                      Line{alternate(kStd, g(2), g(1), g(3), 0x0b), "stda %g2, [%g1 + %g3] 0xb"},
                      Line{alternate(kSt, 0, g(1), 0, 0x0b), "sta %g0, [%g1] 0xb"},
                      Line{access(kLd | kAlternate, g(2), g(1), 4), ".word 0xc4806004"}));

INSTANTIATE_TEST_SUITE_P(
    OfSparcle, DisassemblyTest,
    ::testing::Values(
        Line{SPARCLE_CPOP1(SPARCLE_NEXTF, 0), "nextf"},
        Line{SPARCLE_CPOP1(SPARCLE_PREVF, 0), "prevf"},
        Line{SPARCLE_CPOP1(SPARCLE_IPILAUNCH, 3), "ipilaunch %g3"},
        Line{SPARCLE_CPOP1(SPARCLE_IPICST_STORE, 2), "ipicst store %g2"},
        Line{SPARCLE_CPOP1(SPARCLE_IPICST_STORE_AND_INTERRUPT, 2),
             "ipicst store and interrupt %g2"},
        Line{SPARCLE_CPOP1(SPARCLE_IPICST_DISCARD, 0), "ipicst discard"},
        Line{alternate(kLd, g(2), g(1), 0, SPARCLE_ASI_IO), "ldio [%g1], %g2"},
        Line{alternate(kSt, g(2), g(1), g(3), SPARCLE_ASI_IO), "stio %g2, [%g1 + %g3]"},
        Line{alternate(kLd, g(2), g(1), 0, SPARCLE_ASI_TAKE_FULL), "lda [%g1] 0x75, %g2"}));

}  // namespace
}  // namespace weir::nodes::sparcle
