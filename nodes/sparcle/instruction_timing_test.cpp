// Cycles of single instructions, in a machine in which every access hits, and with caches.

#include <gtest/gtest.h>

#include "firmware/testing/program_bench.h"
#include "hw/controller/controller_registers.h"
#include "hw/controller/host_registers.h"

namespace weir::nodes::sparcle {
namespace {

using firmware::testing::append;
using firmware::testing::end_program;
using firmware::testing::ProgramBench;
using firmware::testing::set_register;
using hw::Cycles;
using namespace testing;  // NOLINT(google-build-using-namespace): an assembler's mnemonics

constexpr std::uint32_t kData = 0x4000;

struct Case {
    const char* name;
    std::uint32_t word;
    std::int64_t cycles;

    friend std::ostream& operator<<(std::ostream& out, const Case& tested) {
        return out << tested.name;
    }
};

// %g1 holds kData.
class InstructionTimingTest : public ::testing::TestWithParam<Case> {};

TEST_P(InstructionTimingTest, TakesItsClassesCycles) {
    ProgramBench bench;
    ProgramBench::Words program = set_register(g(1), kData);
    append(program, {operation_immediate(kWrpsr, 0, g(0), kPsrSupervisor | kPsrFloat), kNop, kNop});
    const auto at = static_cast<std::uint32_t>(program.size() * 4);
    append(program, {GetParam().word, kNop, kNop});
    append(program, end_program(g(0)));
    bench.put(0, program);
    ASSERT_EQ(bench.run(), RunEnd::kFinished);
    EXPECT_EQ(bench.recorder(0).at(at).cycles(), Cycles(GetParam().cycles));
    EXPECT_EQ(bench.exits.size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(
    Classes, InstructionTimingTest,
    ::testing::Values(Case{"Add", operation_immediate(kAdd, g(2), g(1), 1), 1},
                      Case{"Sethi", sethi(g(2), 0), 1},
                      Case{"BranchTaken", branch(kBicc, kAlways, false, 2), 1},
                      Case{"BranchNotTaken", branch(kBicc, 0, false, 2), 1},
                      Case{"Load", access(kLd, g(2), g(1), 0), 2},
                      Case{"LoadByte", access(kLdub, g(2), g(1), 1), 2},
                      Case{"LoadDouble", access(kLdd, g(2), g(1), 0), 3},
                      Case{"Store", access(kSt, g(2), g(1), 0), 3},
                      Case{"StoreHalf", access(kSth, g(2), g(1), 2), 3},
                      Case{"StoreDouble", access(kStd, g(2), g(1), 0), 4},
                      Case{"Atomic", access(kLdstub, g(2), g(1), 0), 4},
                      Case{"Swap", access(kSwap, g(2), g(1), 0), 4},
                      Case{"ReadState", operation(kRdpsr, g(2), 0, 0), 1},
                      Case{"MultiplyStep", operation(kMulscc, g(2), g(1), g(1)), 1},
                      Case{"FloatAdd", float_operation(kFaddd, 2, 4, 6), 4},
                      Case{"FloatMultiplySingle", float_operation(kFmuls, 2, 4, 6), 5},
                      Case{"FloatMultiplyDouble", float_operation(kFmuld, 2, 4, 6), 9},
                      Case{"FloatMove", float_operation(kFmovs, 2, 0, 6), 2},
                      Case{"FloatRoot", float_operation(kFsqrtd, 2, 0, 6), 65}),
    [](const auto& tested) { return tested.param.name; });

// A class takes at least one cycle; added cycles may be 0.
TEST(TimingTest, EveryClassMayTakeOneCycleAndNoneTakesNone) {
    Timing timing;
    for (hw::ParameterBase* parameter : timing.parameters()) {
        const std::string& name = parameter->name();
        const bool is_added = name == "load_use_cycles" || name == "cycle_counter_cycles" ||
                              name == "handler_most_cycles";
        if (name.ends_with("_cycles")) {
            EXPECT_TRUE(parameter->set(std::int64_t{1})) << name;
            EXPECT_EQ(parameter->set(std::int64_t{0}), is_added) << name;
        }
    }
}

class ProgramTimingTest : public ::testing::Test {
  protected:
    // Cycles of the program's instruction `index`, on node 0.
    Cycles cycles_of(std::size_t index) const {
        return bench_.recorder(0).at(static_cast<std::uint32_t>(index * 4)).cycles();
    }
    void run(ProgramBench::Words program) {
        append(program, end_program(g(0)));
        bench_.put(0, program);
        ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    }
    ProgramBench bench_;
};

TEST_F(ProgramTimingTest, WhatReadsTheLoadBeforeItTakesOneMore) {
    run({sethi(g(1), kData), access(kLd, g(2), g(1), 0), operation(kAdd, g(3), g(2), g(2)),
         access(kLd, g(2), g(1), 0), kNop, operation(kAdd, g(3), g(2), g(2)),
         access(kLdd, g(2), g(1), 0), operation(kAdd, g(4), g(3), g(1))});
    EXPECT_EQ(cycles_of(2), Cycles(2));
    EXPECT_EQ(cycles_of(5), Cycles(1));
    EXPECT_EQ(cycles_of(7), Cycles(2));
    EXPECT_EQ(bench_.recorder(0).at(8).interlock, Cycles(1));
}

// FADDs takes 4 cycles. Only readers of the loaded register wait.
TEST_F(ProgramTimingTest, FloatsThatWereLoadedAreWaitedForAsIntegersAre) {
    run({sethi(g(1), kData), operation_immediate(kWrpsr, 0, g(0), kPsrSupervisor | kPsrFloat), kNop,
         kNop, access(kLdf, 3, g(1), 0), float_operation(kFadds, 6, 3, 4), access(kLdf, 3, g(1), 0),
         float_operation(kFadds, 6, 0, 4), access(kLddf, 4, g(1), 0),
         float_operation(kFadds, 6, 0, 5), access(kLd, g(2), g(1), 0),
         float_operation(kFadds, 6, 0, 2), access(kLd, g(2), g(1), 0),
         operation_immediate(kOr, g(3), g(0), 1)});
    EXPECT_EQ(cycles_of(5), Cycles(4 + 1));
    EXPECT_EQ(cycles_of(7), Cycles(4));
    EXPECT_EQ(cycles_of(9), Cycles(4 + 1));
    EXPECT_EQ(cycles_of(11), Cycles(4));
    EXPECT_EQ(cycles_of(13), Cycles(1));
}

TEST_F(ProgramTimingTest, JumpsTakeTwoAndAnnulledSlotsOne) {
    run({operation_immediate(kJmplOp3, g(2), g(0), 8), kNop, branch(kBicc, kAlways, true, 3), kNop,
         kNop});
    EXPECT_EQ(cycles_of(0), Cycles(2));
    EXPECT_TRUE(bench_.recorder(0).at(12).is_annulled);
    EXPECT_EQ(cycles_of(3), Cycles(1));
    EXPECT_EQ(bench_.core(0).execution().annulled.value(), 1);
}

// Total cycles and interlock cycles of loads, stores and a use of a loaded value, by the cycle
// counter, without an observer.
TEST_F(ProgramTimingTest, AllTakesTheSameWhereNobodyLooksOn) {
    ProgramBench::Words program = set_register(g(1), WEIR_HOST_BASE);
    append(program,
           {sethi(g(2), kData), access(kLd, l(0), g(1), WEIR_HOST_CYCLE - WEIR_HOST_BASE),
            access(kSt, g(1), g(2), 0), access(kSth, g(1), g(2), 4), access(kStd, g(2), g(2), 8),
            access(kLdd, g(4), g(2), 8), operation(kAdd, g(6), g(5), g(1)),
            access(kLd, g(3), g(2), 0), operation(kSubcc, g(0), g(3), g(1)),
            access(kLd, l(1), g(1), WEIR_HOST_CYCLE - WEIR_HOST_BASE),
            operation(kSub, l(2), l(1), l(0)), access(kStd, g(4), g(2), 16),
            access(kSt, g(6), g(2), 24)});
    append(program, end_program(l(2)));
    bench_.put(0, program);
    bench_.load();
    for (const std::int32_t node : {0, 1}) {
        bench_.core(node).set_observer(nullptr);
    }
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(bench_.exits.at(0), 2U + 3 + 3 + 4 + 3 + (1 + 1) + 2 + (1 + 1));
    EXPECT_EQ(bench_.core(0).execution().interlock_cycles.value(), 1 + 1 + 1);
    EXPECT_EQ(bench_.read(0, kData + 16), kData) << "what LDD has put into its first register";
    EXPECT_EQ(bench_.read(0, kData + 20), bench_.read(0, kData + 12));
    EXPECT_EQ(bench_.read(0, kData + 24), WEIR_HOST_BASE + bench_.read(0, kData + 12));
}

// Stores of header, handler and launch; the header word is ready in a register (LoGPC Table 1: 9,
// 12, 15).
TEST_F(ProgramTimingTest, AMessageOfNoArgumentsIsSentInNineCycles) {
    ProgramBench::Words program = set_register(g(1), WEIR_CONTROLLER_BASE);
    append(program, set_register(g(2), WEIR_HEADER(0, 2, 1)));
    append(program, {access(kLd, g(4), g(0), 0x40), operation_immediate(kOr, g(3), g(0), 2),
                     access(kSt, g(2), g(1), 0), access(kSt, g(0), g(1), 4),
                     SPARCLE_CPOP1(SPARCLE_IPILAUNCH, g(3))});
    append(program, end_program(g(0)));
    bench_.put(0, program);
    ASSERT_EQ(bench_.run(), RunEnd::kDeadlock);  // no node takes the message
    const hw::Message& message = bench_.trace.messages.begin()->second;
    EXPECT_EQ(message.times.launch - message.times.compose, Cycles(9));
    EXPECT_EQ(bench_.recorder(0).at(24).controller, Cycles(3));
    EXPECT_EQ(bench_.recorder(0).at(24).cycles(), Cycles(3));
    EXPECT_EQ(bench_.core(0).statistics().send_cycles.value(), 9);
}

// Alewife's hierarchy: a load that misses takes 11 cycles, 10 of them beyond its own issue; so does
// a fetch.
TEST_F(ProgramTimingTest, MissesTakeWhatTheHierarchyTakes) {
    bench_.set(bench_.configuration.memory, "caches", std::int64_t{1});
    bench_.set(bench_.configuration.memory, "bytes", std::int64_t{1} << 20);
    run({sethi(g(1), kData), access(kLd, g(2), g(1), 0), kNop, access(kLd, g(2), g(1), 4), kNop,
         access(kSt, g(2), g(1), 16), access(kSt, g(2), g(1), 20)});
    EXPECT_EQ(bench_.recorder(0).at(0).fetch_stall, Cycles(10));
    EXPECT_EQ(bench_.recorder(0).at(4).fetch_stall, Cycles(0));
    EXPECT_EQ(cycles_of(1), Cycles(11));
    EXPECT_EQ(bench_.recorder(0).at(4).data_stall, Cycles(9));
    EXPECT_EQ(cycles_of(3), Cycles(2));
    EXPECT_EQ(bench_.recorder(0).at(16).fetch_stall, Cycles(10));
    EXPECT_EQ(cycles_of(5), Cycles(12));
    EXPECT_EQ(cycles_of(6), Cycles(3));
}

// With a TLB entry for one page, the pages of program and data replace one another.
TEST_F(ProgramTimingTest, AFetchThatHitsWaitsForItsPage) {
    bench_.set(bench_.configuration.memory, "caches", std::int64_t{1});
    bench_.set(bench_.configuration.memory, "bytes", std::int64_t{1} << 20);
    bench_.set(bench_.configuration.caches.tlb, "entries", std::int64_t{1});
    bench_.set(bench_.configuration.caches.tlb, "ways", std::int64_t{1});
    run({sethi(g(1), kData), access(kLd, g(2), g(1), 0), kNop, kNop});
    const auto& behind_load = bench_.recorder(0).at(8);
    EXPECT_EQ(behind_load.fetch_stall, Cycles(30));
    EXPECT_EQ(bench_.recorder(0).at(12).begin - behind_load.begin, Cycles(30 + 1));
    std::int64_t stalled = 0;
    for (const std::uint32_t address : {0, 4, 8, 12, 16}) {
        stalled += bench_.recorder(0).at(address).fetch_stall.count();
    }
    EXPECT_EQ(bench_.core(0).execution().fetch_stall_cycles.value(), stalled);
}

TEST_F(ProgramTimingTest, InstructionsMayHaveACacheOfTheirOwn) {
    bench_.set(bench_.configuration.memory, "caches", std::int64_t{1});
    bench_.set(bench_.configuration.memory, "instruction_cache", true);
    bench_.set(bench_.configuration.memory, "bytes", std::int64_t{1} << 20);
    // The data share the program's set of [l1], and would evict it from a unified cache.
    bench_.set(bench_.configuration.caches.levels[0], "bytes", std::int64_t{64});
    bench_.set(bench_.configuration.caches.instructions, "bytes", std::int64_t{1024});
    run({sethi(g(1), kData), access(kLd, g(2), g(1), 0), access(kLd, g(2), g(1), 0), kNop,
         access(kLd, g(2), g(1), 64), access(kLd, g(2), g(1), 0)});
    EXPECT_EQ(cycles_of(1), Cycles(11));
    EXPECT_EQ(cycles_of(2), Cycles(2));
    EXPECT_EQ(bench_.recorder(0).at(8).fetch_stall, Cycles(0));
    EXPECT_EQ(bench_.recorder(0).at(20).data_stall, Cycles(9));
}

}  // namespace
}  // namespace weir::nodes::sparcle
