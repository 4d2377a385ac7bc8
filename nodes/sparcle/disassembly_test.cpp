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
    ::testing::Values(Line{kNop, "nop"},
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
