#include <string>

#include "hw/controller/controller_registers.h"
#include "nodes/sparcle/testing/unit_test_bench.h"

namespace weir::nodes::sparcle {
namespace {

using namespace testing;  // NOLINT: the words of this file's programs

class LoadStoreTest : public UnitTest {
  protected:
    LoadStoreTest() {
        unit_.set_reg(g(1), kMemory);
        memory_.store(kMemory, 8, 0x80918283'84f586f7);
    }
    std::uint32_t loaded(unsigned op3, std::int32_t offset) {
        expect_done(access(op3, g(2), g(1), offset));
        return unit_.reg(g(2));
    }
};

TEST_F(LoadStoreTest, LoadsBySizeAndSign) {
    EXPECT_EQ(loaded(kLd, 4), 0x84f586f7U);
    EXPECT_EQ(loaded(kLdub, 1), 0x91U);
    EXPECT_EQ(loaded(kLdsb, 1), 0xffffff91U);
    EXPECT_EQ(loaded(kLduh, 6), 0x86f7U);
    EXPECT_EQ(loaded(kLdsh, 6), 0xffff86f7U);
    EXPECT_EQ(loaded(kLdd, 0), 0x80918283U);
    EXPECT_EQ(unit_.reg(g(3)), 0x84f586f7U);
    EXPECT_EQ(unit_.last_class(), InstructionClass::kLoadDouble);
}

TEST_F(LoadStoreTest, StoresBySize) {
    unit_.set_reg(g(2), 0x01020304);
    unit_.set_reg(g(3), 0x05060708);
    expect_done(access(kStb, g(2), g(1), 0));
    expect_done(access(kSth, g(2), g(1), 2));
    expect_done(access(kSt, g(3), g(1), 4));
    EXPECT_EQ(memory_.load(kMemory, 8), 0x0491030405060708U);
    expect_done(access(kStd, g(2), g(1), 8));
    EXPECT_EQ(memory_.load(kMemory + 8, 8), 0x0102030405060708U);
}

TEST_F(LoadStoreTest, Atomics) {
    EXPECT_EQ(loaded(kLdstub, 0), 0x80U);
    EXPECT_EQ(memory_.word(kMemory), 0xff918283U);
    unit_.set_reg(g(2), 5);
    EXPECT_EQ(loaded(kSwap, 4), 0x84f586f7U);
    EXPECT_EQ(memory_.word(kMemory + 4), 5U);
}

TEST_F(LoadStoreTest, AddressesAreMultiplesOfTheSize) {
    expect_trap(access(kLduh, g(2), g(1), 1), kTrapAddressNotAligned);
    expect_trap(access(kSt, g(2), g(1), 2), kTrapAddressNotAligned);
    expect_trap(access(kLdd, g(2), g(1), 4), kTrapAddressNotAligned);
    expect_trap(access(kLddf, g(2), g(1), 4), kTrapAddressNotAligned);
    // An odd first register has priority over the misaligned address.
    expect_trap(access(kLdd, g(3), g(1), 1), kTrapIllegalInstruction);
}

TEST_F(LoadStoreTest, ARefusedAccessChangesNothing) {
    EXPECT_EQ(unit_.execute(access(kLd, g(1), g(1), 0)), StepEnd::kMemory);
    unit_.refuse(SPARCLE_TRAP_REMOTE_WAIT);
    EXPECT_EQ(unit_.trap_type(), SPARCLE_TRAP_REMOTE_WAIT);
    EXPECT_EQ(unit_.reg(g(1)), kMemory);
    EXPECT_EQ(unit_.pc(), kCode);
}

TEST_F(LoadStoreTest, AddressSpaces) {
    const auto with = [](unsigned op3, unsigned asi) {
        return alternate(op3, g(2), g(1), g(0), asi);
    };
    for (const unsigned asi : {0x08, 0x09, 0x0a, 0x0b, 0x70, 0x74, 0x75, 0x7a, 0x7b}) {
        ASSERT_EQ(unit_.execute(with(kLd, asi)), StepEnd::kMemory);
        EXPECT_EQ(unit_.request().asi, asi);
    }
    EXPECT_EQ(unit_.execute(access(kLd, g(2), g(1), 0)), StepEnd::kMemory);
    EXPECT_EQ(unit_.request().asi, SPARCLE_ASI_SUPERVISOR_DATA);
    for (const unsigned asi : {0x76, 0x77, 0x7c, 0x7d, 0x7e}) {
        ASSERT_EQ(unit_.execute(with(kSt, asi)), StepEnd::kMemory);
        expect_trap(with(kLd, asi), kTrapDataAccess);
    }
    expect_trap(with(kSt, SPARCLE_ASI_TAKE_FULL), kTrapDataAccess);
    expect_trap(with(kSt, SPARCLE_ASI_TAKE_FOUND), kTrapDataAccess);
    expect_trap(with(kSwap, SPARCLE_ASI_LOAD_FULL), kTrapDataAccess);
    expect_trap(with(kLd, 0x01), kTrapDataAccess);
    expect_trap(with(kLd, 0x0a) | 1 << 13, kTrapIllegalInstruction);

    unit_.set_psr(kPsrTraps);
    EXPECT_EQ(unit_.execute(access(kLd, g(2), g(1), 0)), StepEnd::kMemory);
    EXPECT_EQ(unit_.request().asi, SPARCLE_ASI_USER_DATA);
    for (const unsigned asi : {0x70, 0x74, 0x75, 0x7a, 0x7b}) {
        EXPECT_EQ(unit_.execute(with(kLd, asi)), StepEnd::kMemory);
    }
    for (const unsigned asi : {0x08, 0x09, 0x0a, 0x0b, 0x01}) {
        expect_trap(with(kLd, asi), kTrapPrivilegedInstruction);
    }
}

TEST_F(LoadStoreTest, SendingInstructionsAreStoresToTheController) {
    struct Row {
        std::uint32_t operation;
        std::uint32_t address;
    };
    unit_.set_reg(g(2), 0x1234);
    for (const Row& row :
         {Row{SPARCLE_IPILAUNCH, WEIR_LAUNCH}, Row{SPARCLE_IPICST_STORE, WEIR_STORE_BODY},
          Row{SPARCLE_IPICST_STORE_AND_INTERRUPT, WEIR_STORE_BODY_AND_INTERRUPT},
          Row{SPARCLE_IPICST_DISCARD, WEIR_DISPOSE}}) {
        ASSERT_EQ(unit_.execute(SPARCLE_CPOP1(row.operation, g(2))), StepEnd::kMemory);
        EXPECT_EQ(unit_.request().kind, MemoryRequest::Kind::kStore);
        EXPECT_EQ(unit_.request().address, row.address);
        EXPECT_EQ(unit_.request().data, 0x1234U);
        EXPECT_EQ(unit_.last_class(), InstructionClass::kStore);
        unit_.complete();
    }
    EXPECT_EQ(unit_.pc(), kCode + 16);
}

TEST(LoadUseTest, WhatAnInstructionReads) {
    const auto reads = [](std::uint32_t word, unsigned number) {
        return IntegerUnit::reads_register(word, number, false);
    };
    EXPECT_TRUE(reads(operation(kAdd, 1, 2, 3), 3));
    EXPECT_FALSE(reads(operation(kAdd, 1, 2, 3), 1));
    EXPECT_FALSE(reads(operation_immediate(kAdd, 1, 2, 3), 3));
    EXPECT_FALSE(reads(operation(kAdd, 1, 0, 0), 0));
    EXPECT_FALSE(reads(sethi(1, 0xffffffff), 1));
    EXPECT_FALSE(reads(access(kLd, 1, 2, 0), 1));
    EXPECT_TRUE(reads(access(kSt, 1, 2, 0), 1));
    EXPECT_TRUE(reads(access(kStd, 4, 2, 0), 5));
    EXPECT_FALSE(reads(access(kStf, 1, 2, 0), 1));
    EXPECT_FALSE(reads(float_operation(kFadds, 1, 2, 3), 2));
    EXPECT_TRUE(reads(SPARCLE_CPOP1(SPARCLE_IPILAUNCH, 4U), 4));
    const auto reads_float = [](std::uint32_t word, unsigned number) {
        return IntegerUnit::reads_register(word, number, true);
    };
    EXPECT_TRUE(reads_float(float_operation(kFaddd, 0, 2, 4), 3));
    EXPECT_FALSE(reads_float(float_operation(kFadds, 0, 2, 4), 3));
    EXPECT_FALSE(reads_float(float_operation(kFmovs, 0, 2, 4), 2));
    EXPECT_TRUE(reads_float(float_operation(kFcmpd, 0, 2, 4), 5));
    EXPECT_TRUE(reads_float(access(kStdf, 2, 1, 0), 3));
    EXPECT_FALSE(reads_float(access(kLdf, 2, 1, 0), 2));
}

// Lists the integer registers, 1 to 7, that an instruction reads.
std::string integers_read(std::uint32_t word) {
    std::string read;
    for (unsigned number = 0; number < 8; ++number) {
        read += IntegerUnit::reads_register(word, number, false) ? std::to_string(number) : "";
    }
    return read;
}
std::string floats_read(std::uint32_t word) {
    std::string read;
    for (unsigned number = 0; number < 8; ++number) {
        read += IntegerUnit::reads_register(word, number, true) ? std::to_string(number) : "";
    }
    return read;
}

TEST(LoadUseTest, AccessesReadTheirAddressAndWhatTheyStore) {
    constexpr std::uint32_t kIndexed = 0x40000000;
    EXPECT_EQ(integers_read(kIndexed | operation(kLd, 1, 2, 3)), "23");
    EXPECT_EQ(integers_read(access(kLd, 1, 2, 3)), "2");
    EXPECT_EQ(integers_read(access(kLdstub, 1, 2, 0)), "2");
    for (const unsigned op3 : {kSt, kStb, kSth, kSwap}) {
        EXPECT_EQ(integers_read(kIndexed | operation(op3, 1, 2, 3)), "123") << op3;
        EXPECT_EQ(integers_read(alternate(op3, 1, 2, 3, 0x0b)), "123") << op3;
    }
    EXPECT_EQ(integers_read(kIndexed | operation(kStd, 4, 2, 3)), "2345");
    EXPECT_EQ(integers_read(alternate(kStd, 4, 2, 3, 0x0b)), "2345");
    for (const unsigned op3 : {kLdf, kLddf, kStf, kStdf, kStfsr}) {
        EXPECT_EQ(integers_read(kIndexed | operation(op3, 1, 2, 3)), "23") << op3;
    }
    EXPECT_EQ(floats_read(access(kStf, 3, 2, 0)), "3");
    EXPECT_EQ(floats_read(access(kStdf, 2, 4, 0)), "23");
    EXPECT_EQ(floats_read(access(kLddf, 2, 4, 0)), "");
    EXPECT_EQ(floats_read(access(kSt, 3, 2, 0)), "");
}

TEST(LoadUseTest, OperationsReadTheirOperands) {
    for (const unsigned op3 : {kAdd, kSubcc, kSll, kMulscc, kSave}) {
        EXPECT_EQ(integers_read(operation(op3, 1, 2, 3)), "23") << op3;
        EXPECT_EQ(integers_read(operation_immediate(op3, 1, 2, 3)), "2") << op3;
    }
    for (const unsigned op3 : {kWry, kWrpsr, kWrwim, kWrtbr}) {
        EXPECT_EQ(integers_read(operation(op3, 0, 2, 3)), "23") << op3;
    }
    for (const unsigned op3 : {kRdy, kRdpsr, kRdwim, kRdtbr}) {
        EXPECT_EQ(integers_read(operation(op3, 1, 2, 3)), "") << op3;
    }
    EXPECT_EQ(integers_read(operation(kJmplOp3, 1, 2, 3)), "23");
    EXPECT_EQ(integers_read(call(0x3ffff)), "");
    EXPECT_EQ(integers_read(branch(kBicc, 8, false, 0x3ffff)), "");
    EXPECT_EQ(integers_read(SPARCLE_CPOP1(SPARCLE_IPILAUNCH, 4U) | 3), "4");
}

// The last digits of an opf give the size of its operand; an integer is read like a single.
TEST(LoadUseTest, FloatOperationsReadSinglesAndPairs) {
    EXPECT_EQ(floats_read(float_operation(kFadds, 0, 2, 5)), "25");
    EXPECT_EQ(floats_read(float_operation(kFdivs, 0, 3, 5)), "35");
    EXPECT_EQ(floats_read(float_operation(kFsubd, 0, 2, 4)), "2345");
    EXPECT_EQ(floats_read(float_operation(kFsmuld, 0, 2, 5)), "25");
    EXPECT_EQ(floats_read(float_operation(kFcmps, 0, 2, 5)), "25");
    EXPECT_EQ(floats_read(float_operation(kFcmped, 0, 2, 4)), "2345");
    EXPECT_EQ(floats_read(float_operation(kFsqrts, 0, 2, 5)), "5");
    EXPECT_EQ(floats_read(float_operation(kFsqrtd, 0, 2, 4)), "45");
    EXPECT_EQ(floats_read(float_operation(kFitod, 0, 2, 5)), "5");
    EXPECT_EQ(floats_read(float_operation(kFstod, 0, 2, 5)), "5");
    EXPECT_EQ(floats_read(float_operation(kFdtoi, 0, 2, 4)), "45");
    EXPECT_EQ(floats_read(float_operation(kFdtos, 0, 2, 4)), "45");
    EXPECT_EQ(integers_read(float_operation(kFcmps, 0, 2, 5)), "");
}

}  // namespace
}  // namespace weir::nodes::sparcle
