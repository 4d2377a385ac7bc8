// Findings of the checks, with their cycles, and programs that pass. Running ahead changes neither
// findings nor cycles.

#include "nodes/sparcle/program_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "firmware/testing/program_bench.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"

namespace weir::nodes::sparcle {
namespace {

using firmware::testing::append;
using firmware::testing::end_program;
using firmware::testing::kStart;
using firmware::testing::ProgramBench;
using firmware::testing::set_register;
using hw::testing::result_of_separate_run;
using ::testing::HasSubstr;
using weir::testing::Names;
using namespace testing;  // NOLINT(google-build-using-namespace): an assembler's mnemonics

constexpr std::uint32_t kNowhereWritten = 0x7000;
constexpr unsigned kSp = 14;
constexpr const char* kNothing = "0 0";

// Parameters: levels of cache, and whether the core runs ahead.
class ProgramChecksTest : public ::testing::TestWithParam<std::tuple<std::int64_t, bool>> {
  protected:
    ProgramChecksTest() {
        layout.null_page_end = kStart;
        layout.text = {{0, kStart + 0x800}};
        layout.stack = {0x8000, 0xa000};
    }

    // Returns the final state of both nodes' programs, or the first line of the fault.
    std::string outcome(ProgramBench::Words program) {
        append(program, end_program(g(0)));
        return result_of_separate_run([&] {
            ProgramBench bench;
            const auto [caches, runs_ahead] = GetParam();
            bench.set(bench.configuration.memory, "caches", caches);
            bench.set(bench.configuration.memory, "bytes", std::int64_t{1} << 16);
            bench.set(bench.configuration.sparcle, "run_ahead", runs_ahead);
            for (const auto& [name, value] : settings) {
                bench.set(bench.configuration.sparcle, name, value);
            }
            bench.layout = layout;
            bench.put(0, {branch(kBicc, kAlways, false, kStart / 4), kNop});
            bench.put(kStart, program);
            bench.load();
            for (const std::int32_t node : {0, 1}) {
                bench.core(node).set_observer(nullptr);
            }
            const std::string fault = bench.fault();
            if (fault != "no fault") {
                return timed(fault.substr(0, fault.find('\n')));
            }
            return std::to_string(bench.exits.at(0)) + " " + std::to_string(bench.exits.at(1));
        });
    }

    // Removes the cycle with caches, since fetches then take longer.
    static std::string timed(const std::string& fault) {
        const std::size_t cycle = fault.find(", cycle ");
        const std::size_t end = fault.find(':');
        return std::get<0>(GetParam()) == 0 || cycle > end
                   ? fault
                   : fault.substr(0, cycle) + fault.substr(end);
    }

    ProgramLayout layout;
    std::vector<std::pair<const char*, hw::ParameterValue>> settings;
};

TEST_P(ProgramChecksTest, LoadsFromTheNullPageAreFaults) {
    EXPECT_THAT(outcome({access(kLd, g(2), g(0), 8)}),
                Names(timed("node 0, cycle 2: "), "load", "4", "0x8", "null", "0x00001000"));
    EXPECT_THAT(outcome({access(kLdub, g(2), g(0), 0xfff)}), Names("load", "1", "0xfff", "null"));
    EXPECT_EQ(outcome({sethi(g(1), 0x1000), access(kLd, g(2), g(1), 0)}), kNothing);
    settings = {{"null_page_bytes", std::int64_t{8}}};
    EXPECT_EQ(outcome({access(kLd, g(2), g(0), 8)}), kNothing);
    EXPECT_THAT(outcome({access(kLd, g(2), g(0), 4)}), Names("load", "4", "0x4", "null"));
    settings = {{"null_page_bytes", std::int64_t{0}}};
    EXPECT_EQ(outcome({access(kLd, g(2), g(0), 4)}), kNothing);
}

TEST_P(ProgramChecksTest, StoresToTheNullPageAreFaults) {
    EXPECT_THAT(outcome({access(kStd, g(2), g(0), 0x10)}), Names("store", "8", "0x10", "null"));
    EXPECT_THAT(outcome({access(kSwap, g(2), g(0), 0x10)}), Names("atomic", "4", "0x10", "null"));
}

// Reset and traps jump to the null page with traps disabled, which is allowed.
TEST_P(ProgramChecksTest, JumpsIntoTheNullPageAreFaults) {
    const std::uint32_t enable = operation_immediate(kWrpsr, 0, g(0), kPsrSupervisor | kPsrTraps);
    EXPECT_THAT(outcome({enable, operation_immediate(kJmplOp3, o(7), g(0), 0x40), kNop}),
                Names(timed("node 0, cycle 6: "), "jump", "0x40", "null"));
    // A trap may run a handler in the null page, which returns.
    EXPECT_THAT(outcome({enable, operation_immediate(kTiccOp3, kAlways, g(0), 3), kNop}),
                Not(HasSubstr("null")));
}

TEST_P(ProgramChecksTest, StoresToTextAreFaults) {
    const auto store_to = [&](std::uint32_t address) {
        ProgramBench::Words program = set_register(g(1), address);
        append(program, {access(kSt, g(0), g(1), 0)});
        return outcome(program);
    };
    EXPECT_THAT(store_to(0x17fc), Names(timed("node 0, cycle 4: "), "store", "4", "0x17fc", "text",
                                        "sparcle.writable_text = true", "0x00001008"));
    EXPECT_EQ(store_to(0x1800), kNothing);
    layout.text = {{0x2000, 0x2800}};  // the text has data before it
    EXPECT_EQ(store_to(0x1800), kNothing);
    EXPECT_THAT(store_to(0x2000), Names("store", "4", "0x2000", "text"));
    settings = {{"writable_text", true}};
    EXPECT_EQ(store_to(0x2000), kNothing);
}

// Takes `frames` stack frames of 512 bytes; the stack pointer has 4,096 bytes below it.
ProgramBench::Words frames(std::int32_t frames) {
    ProgramBench::Words program = set_register(kSp, 0x9000);
    append(
        program,
        {operation_immediate(kOr, g(1), g(0), frames), operation_immediate(kSave, kSp, kSp, -512),
         operation_immediate(kSubcc, g(1), g(1), 1), branch(kBicc, kNotEqual, false, -2), kNop});
    return program;
}

TEST_P(ProgramChecksTest, AFrameBelowTheStackIsAFault) {
    EXPECT_EQ(outcome(frames(8)), kNothing);
    EXPECT_THAT(outcome(frames(9)), Names(timed("node 0, cycle 37: "), "stack", "512", "0", "8192",
                                          "workload.stack_bytes", "0x0000100c"));
    settings = {{"check_stack", false}};
    EXPECT_EQ(outcome(frames(9)), kNothing);
}

TEST_P(ProgramChecksTest, LargeFramesDoNotSkipTheStacksEnd) {
    const auto take = [&](unsigned op3, std::uint32_t bytes) {
        ProgramBench::Words program = set_register(kSp, 0x9000);
        append(program, set_register(g(1), op3 == kSub ? bytes : 0 - bytes));
        append(program, {operation(op3, kSp, kSp, g(1))});
        return outcome(program);
    };
    for (const unsigned op3 : {kSave, kAdd, kSub}) {
        EXPECT_EQ(take(op3, 0x1000), kNothing) << op3;
        EXPECT_THAT(take(op3, 0x1008), Names("frame", "4104", "4096")) << op3;
        EXPECT_THAT(take(op3, 0x100000), Names("stack", "overflow")) << op3;
        EXPECT_EQ(take(op3, 0 - 0x400U), kNothing) << op3;  // %sp rises: a frame ends
    }
}

// The check covers frames made from the stack or frame pointer. Frames made from other registers
// belong to another stack.
TEST_P(ProgramChecksTest, AFrameIsMadeFromTheFramePointerToo) {
    constexpr unsigned kFp = 30;
    const auto from = [&](unsigned pointer) {
        ProgramBench::Words program = set_register(kSp, 0x9000);
        append(program, set_register(pointer, 0x9000));
        append(program, set_register(g(1), 0 - 0x1008U));
        append(program, {operation(kAdd, kSp, pointer, g(1))});
        return outcome(program);
    };
    EXPECT_THAT(from(kFp), Names("frame", "4104", "4096"));
    EXPECT_EQ(from(g(2)), kNothing);
}

// A floating-point operation writes both halves of its result.
TEST_P(ProgramChecksTest, AResultInARegisterPairIsWrittenAsAWhole) {
    settings = {{"check_uninitialised", true}};
    ProgramBench::Words program = set_register(g(1), kNowhereWritten);
    append(program, {operation_immediate(kWrpsr, 0, g(0), kPsrSupervisor | kPsrFloat), kNop, kNop,
                     kNop, access(kLddf, 4, g(1), 8), float_operation(kFitod, 4, 0, 0),
                     float_operation(kFadds, 6, 5, 5)});
    EXPECT_EQ(outcome(program), kNothing);
}

TEST_P(ProgramChecksTest, AStackOfAProgramsOwnHasNoLimit) {
    ProgramBench::Words program = set_register(kSp, 0x6000);
    append(program, {operation_immediate(kSave, kSp, kSp, -512)});
    EXPECT_EQ(outcome(program), kNothing);
}

TEST_P(ProgramChecksTest, UsesOfWhatNothingHasWrittenAreFaultsIfAskedFor) {
    const auto use = [&](const ProgramBench::Words& then) {
        ProgramBench::Words program = set_register(g(1), kNowhereWritten);
        append(program, {access(kStb, g(0), g(1), 3), access(kSt, g(0), g(1), 8)});
        append(program, then);
        return outcome(program);
    };
    const std::uint32_t load = access(kLd, g(4), g(1), 4);
    const std::uint32_t used = operation_immediate(kAdd, g(5), g(4), 1);
    EXPECT_EQ(use({load, used}), kNothing);
    settings = {{"check_uninitialised", true}};
    EXPECT_EQ(use({load}), kNothing);
    EXPECT_THAT(use({load, used}), Names(timed("node 0, cycle 13: "), "use", "uninitialised",
                                         "0x7004", "0x00001010", "0x00001014"));
    // One written byte initialises the value; so does overwriting the register.
    EXPECT_EQ(use({access(kLd, g(4), g(1), 0), used}), kNothing);
    EXPECT_EQ(use({load, operation_immediate(kOr, g(4), g(0), 1), used}), kNothing);
    EXPECT_EQ(use({access(kLdub, g(4), g(1), 3), used}), kNothing);
    EXPECT_THAT(use({access(kLdub, g(4), g(1), 2), used}), Names("use", "uninitialised", "0x7002"));
    EXPECT_THAT(use({access(kSwap, g(4), g(1), 4), used}), Names("use", "uninitialised", "0x7004"));
    EXPECT_THAT(use({load, access(kLd, g(5), g(4), 0)}), Names("use", "uninitialised"));
    EXPECT_THAT(use({load, access(kSt, g(5), g(4), 0)}), Names("use", "uninitialised"));
}

// Copies between registers, windows and memory are no uses, and stay uninitialised.
TEST_P(ProgramChecksTest, CopiesOfWhatNothingHasWrittenAreLikeIt) {
    settings = {{"check_uninitialised", true}};
    const auto copy = [&](const ProgramBench::Words& then) {
        ProgramBench::Words program = set_register(g(1), kNowhereWritten);
        append(program, {access(kSt, g(0), g(1), 4), access(kLdd, o(0), g(1), 0),
                         operation(kSave, g(0), g(0), g(0)), access(kStd, i(0), g(1), 0x20),
                         operation(kOr, l(0), g(0), i(0)), operation(kRestore, o(3), l(0), g(0)),
                         access(kSt, o(3), g(1), 0x30)});
        append(program, then);
        return outcome(program);
    };
    const std::uint32_t used = operation_immediate(kSubcc, g(0), g(4), 1);
    EXPECT_EQ(copy({access(kLd, g(4), g(1), 0x24), used}), kNothing);
    for (const std::int32_t offset : {0x20, 0x30}) {
        EXPECT_THAT(copy({access(kLd, g(4), g(1), offset), used}),
                    Names("use", "uninitialised", "0x7000", "0x0000100c"))
            << offset;
    }
}

// Node 0 is ticked first and runs ahead, but node 1's fault comes earlier.
TEST_P(ProgramChecksTest, TheFirstFaultEndsTheRun) {
    const auto faults_after = [&](std::int32_t rounds_of_0, std::int32_t rounds_of_1) {
        ProgramBench::Words program = set_register(g(1), WEIR_HOST_BASE);
        append(program,
               {access(kLd, g(2), g(1), 0), operation_immediate(kOr, g(3), g(0), rounds_of_0),
                operation_immediate(kSubcc, g(0), g(2), 0), branch(kBicc, kEqual, false, 3), kNop,
                operation_immediate(kOr, g(3), g(0), rounds_of_1),
                operation_immediate(kSubcc, g(3), g(3), 1), branch(kBicc, kNotEqual, false, -1),
                kNop, access(kLd, g(2), g(0), 8)});
        return outcome(program);
    };
    EXPECT_THAT(faults_after(100, 90), Names(timed("node 1, cycle 281: "), "load", "4"));
    EXPECT_THAT(faults_after(90, 100), Names(timed("node 0, cycle 280: "), "load", "4"));
}

INSTANTIATE_TEST_SUITE_P(Cores, ProgramChecksTest,
                         ::testing::Combine(::testing::Values(0, 1), ::testing::Bool()),
                         [](const auto& tested) {
                             return std::string(std::get<0>(tested.param) == 0 ? "WithoutCaches"
                                                                               : "WithACache") +
                                    (std::get<1>(tested.param) ? "Ahead" : "InStep");
                         });

TEST(WrittenBytesTest, AreThoseThatWereNoted) {
    WrittenBytes written;
    written.note(4094, 4);  // across two pages
    for (std::uint32_t address = 4090; address < 4102; ++address) {
        EXPECT_EQ(written.any_of(address, 1), address >= 4094 && address < 4098) << address;
    }
    EXPECT_TRUE(written.any_of(4088, 8));
    EXPECT_FALSE(written.any_of(4088, 4));
    EXPECT_FALSE(written.any_of(1 << 20, 8));
}

}  // namespace
}  // namespace weir::nodes::sparcle
