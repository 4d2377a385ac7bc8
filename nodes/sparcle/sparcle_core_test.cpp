// Interrupts, traps, contexts, the host's registers, and faults of programs.

#include "nodes/sparcle/sparcle_core.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "firmware/testing/program_bench.h"
#include "hw/barrier/barrier_registers.h"
#include "hw/controller/controller_registers.h"
#include "hw/testing/names.h"

namespace weir::nodes::sparcle {
namespace {

using firmware::testing::append;
using firmware::testing::end_program;
using firmware::testing::kMessageVector;
using firmware::testing::kStart;
using firmware::testing::ProgramBench;
using firmware::testing::Recorder;
using firmware::testing::set_register;
using hw::Cycles;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using weir::testing::Names;
using namespace testing;  // NOLINT(google-build-using-namespace): an assembler's mnemonics

constexpr std::uint32_t kHandler = 0x2000;
constexpr std::uint32_t kArrived = 0x4000;

// Node 0 sends node 1 a message for kHandler, and the trap handler counts arrivals at kArrived.
class SparcleMessageTest : public ::testing::Test {
  protected:
    SparcleMessageTest() {
        bench_.put(0, {branch(kBicc, kAlways, false, kStart / 4), kNop});
        // The vector calls the handler and returns; the trap window has its own locals.
        bench_.put(kMessageVector, {branch(kBicc, kAlways, false, (0x1800 - 0x180) / 4), kNop});
        ProgramBench::Words entry = set_register(l(3), WEIR_CONTROLLER_BASE);
        append(entry,
               {access(kLd, l(4), l(3), WEIR_INPUT_WINDOW + 4 - WEIR_CONTROLLER_BASE), kNop,
                operation_immediate(kJmplOp3, o(7), l(4), 0), kNop,
                access(kSt, g(0), l(3), WEIR_DISPOSE - WEIR_CONTROLLER_BASE),
                operation_immediate(kJmplOp3, g(0), l(1), 0), operation(kRettOp3, 0, l(2), 0)});
        bench_.put(0x1800, entry);
        bench_.put(kHandler, {sethi(l(5), kArrived), access(kLd, l(6), l(5), 0),
                              operation_immediate(kAdd, l(6), l(6), 1), access(kSt, l(6), l(5), 0),
                              operation_immediate(kJmplOp3, g(0), o(7), 8), kNop});
    }
    // Enables traps; node 0 sends the message, and both nodes continue with `then`.
    void put_program(const ProgramBench::Words& then) {
        ProgramBench::Words program{
            operation_immediate(kWrpsr, 0, g(0), kPsrSupervisor | kPsrTraps), kNop, kNop, kNop};
        append(program, set_register(g(1), WEIR_HOST_BASE));
        append(program, {access(kLd, g(2), g(1), 0), operation_immediate(kSubcc, g(0), g(2), 0),
                         branch(kBicc, kNotEqual, false, 11), kNop});
        append(program, set_register(g(1), WEIR_CONTROLLER_BASE));
        append(program, set_register(g(2), WEIR_HEADER(0, 2, 1)));
        append(program, {sethi(g(3), kHandler), access(kSt, g(2), g(1), 0),
                         access(kSt, g(3), g(1), 4), operation_immediate(kOr, g(3), g(0), 2)});
        append(program, {SPARCLE_CPOP1(SPARCLE_IPILAUNCH, g(3))});
        append(program, then);
        append(program, end_program(g(0)));
        bench_.put(kStart, program);
    }
    ProgramBench bench_;
};

TEST_F(SparcleMessageTest, AMessageInterruptsAndItsHandlerReturns) {
    put_program({});
    EXPECT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(bench_.read(1, kArrived), 1U);
    EXPECT_EQ(bench_.read(0, kArrived), 0U);
    const hw::MessageTimes& times = bench_.trace.messages.begin()->second.times;
    EXPECT_EQ(times.handler_begin, times.notify);
    const Recorder& recorder = bench_.recorder(1);
    // Cycles before the handler: trap 3; branch and slot 2, address 2, load 2, slot 1, jump 2, slot
    // 1.
    EXPECT_EQ(times.code_begin - times.handler_begin, Cycles(3 + 2 + 2 + 2 + 1 + 2 + 1));
    // Cycles of the handler: SETHI 1, load 2, ADD 1 and 1 for the load, store 3, return 2 and its
    // slot.
    EXPECT_EQ(times.code_end - times.code_begin, Cycles(1 + 2 + 2 + 3 + 2 + 1));
    EXPECT_EQ(times.handler_end - times.code_end, Cycles(3 + 2 + 2));
    EXPECT_TRUE(recorder.at(kHandler).in_handler);
    EXPECT_EQ(bench_.core(1).statistics().handler_cycles.value(),
              (times.handler_end - times.handler_begin).count());
    EXPECT_EQ(bench_.core(1).statistics().interrupts.value(), 1);
}

TEST_F(SparcleMessageTest, AnInterruptWithoutHandlerIsReportedByItsLevel) {
    put_program(ProgramBench::Words(100, kNop));
    bench_.put(kMessageVector, {0, 0});
    EXPECT_THAT(bench_.fault(), Names("interrupt", std::to_string(SPARCLE_LEVEL_MESSAGE)));
}

// The handler takes 11 cycles, as in the test above.
class HandlerLimitTest : public SparcleMessageTest, public ::testing::WithParamInterface<int> {};

TEST_P(HandlerLimitTest, AHandlerMayTakeSoManyCyclesAndNoMore) {
    bench_.set(bench_.configuration.sparcle, "handler_most_cycles", std::int64_t{GetParam()});
    put_program({});
    const std::string fault = bench_.fault();
    if (GetParam() == 10) {
        EXPECT_THAT(fault, StartsWith("node 1, cycle "));
        EXPECT_THAT(fault, Names("handler", "0x00002000", "11", "10", "sparcle.handler_most_cycles",
                                 "0x00001818"));
    } else {
        EXPECT_EQ(fault, "no fault");
        EXPECT_EQ(bench_.read(1, kArrived), 1U);
    }
}

INSTANTIATE_TEST_SUITE_P(Limits, HandlerLimitTest, ::testing::Values(0, 10, 11));

// A message interrupts a waiting access. The observed instructions still follow one another without
// gaps.
TEST_F(SparcleMessageTest, InstructionsFollowOneAnotherWhateverTheyWaitFor) {
    put_program({});
    EXPECT_EQ(bench_.run(), RunEnd::kFinished);
    const std::vector<ExecutedInstruction>& all = bench_.recorder(1).instructions;
    ASSERT_GT(all.size(), 20U);
    EXPECT_EQ(all.front().begin, Cycles(0));
    std::int64_t waited = 0;
    for (std::size_t i = 1; i < all.size(); ++i) {
        EXPECT_EQ(all[i].begin, all[i - 1].begin + all[i - 1].cycles()) << "instruction " << i;
        waited += all[i].is_trap ? all[i].controller.count() : 0;
    }
    EXPECT_GT(waited, 0) << "it has given up an access";
}

// No access is given up for the interrupt.
TEST_F(SparcleMessageTest, AnInterruptBetweenTwoInstructionsTakesItsTrapAlone) {
    put_program(ProgramBench::Words(100, kNop));
    EXPECT_EQ(bench_.run(), RunEnd::kFinished);
    const hw::MessageTimes& times = bench_.trace.messages.begin()->second.times;
    std::vector<ExecutedInstruction> traps;
    for (const ExecutedInstruction& instruction : bench_.recorder(1).instructions) {
        if (instruction.is_trap) {
            traps.push_back(instruction);
        }
    }
    ASSERT_EQ(traps.size(), 1U);
    EXPECT_EQ(traps[0].begin, times.notify);
    EXPECT_EQ(traps[0].cycles(), Cycles(3));
    EXPECT_EQ(traps[0].controller, Cycles(0));
    EXPECT_EQ(bench_.core(1).execution().traps.value(), 1);
}

// Both nodes meet at the barrier. Node 1 arrives first, and is interrupted by the message.
TEST_F(SparcleMessageTest, AMessageInterruptsALoadThatWaitsAndTheLoadIsIssuedAgain) {
    bench_.set(bench_.configuration.network, "barrier", true);
    ProgramBench::Words meet = set_register(g(1), WEIR_CONTROLLER_BASE);
    append(meet, {access(kSt, g(1), g(1), WEIR_BARRIER_ARRIVE - WEIR_CONTROLLER_BASE),
                  access(kLd, g(2), g(1), WEIR_BARRIER_WAIT - WEIR_CONTROLLER_BASE)});
    put_program(meet);
    EXPECT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(bench_.read(1, kArrived), 1U);
    const hw::MessageTimes& times = bench_.trace.messages.begin()->second.times;
    EXPECT_LE(times.handler_begin - times.notify, Cycles(2));
    EXPECT_EQ(bench_.exits.size(), 2U);
}

TEST_F(SparcleMessageTest, WhatThePriorityHoldsOffWaits) {
    put_program({operation_immediate(kWrpsr, 0, g(0), kPsrSupervisor | kPsrTraps | 8 << 8)});
    EXPECT_EQ(bench_.run(), RunEnd::kDeadlock);
    EXPECT_EQ(bench_.read(1, kArrived), 0U);
}

// A polling program disables interrupts, waits for a message, and takes it.
TEST_F(SparcleMessageTest, APolledMessageIsHandledFromItsFirstLoadToItsDisposal) {
    ProgramBench::Words program{
        operation_immediate(kWrpsr, 0, g(0), kPsrSupervisor | kPsrTraps | 8 << 8), kNop, kNop,
        kNop};
    append(program, set_register(g(1), WEIR_CONTROLLER_BASE));
    append(program, set_register(g(2), WEIR_HEADER(0, 2, 1)));
    append(program, set_register(g(4), WEIR_HOST_BASE));
    append(program, {access(kLd, g(5), g(4), 0), operation_immediate(kOr, g(3), g(0), 2),
                     operation_immediate(kSubcc, g(0), g(5), 0), branch(kBicc, kNotEqual, false, 6),
                     kNop, access(kSt, g(2), g(1), 0), access(kSt, g(0), g(1), 4),
                     SPARCLE_CPOP1(SPARCLE_IPILAUNCH, g(3)), branch(kBicc, kAlways, true, 8),
                     // Node 1:
                     access(kLd, g(6), g(1), WEIR_MESSAGE_WAITING - WEIR_CONTROLLER_BASE),
                     operation_immediate(kSubcc, g(0), g(6), 0), branch(kBicc, 1, false, -2), kNop,
                     access(kLd, g(6), g(1), WEIR_INPUT_WINDOW - WEIR_CONTROLLER_BASE), kNop,
                     SPARCLE_CPOP1(SPARCLE_IPICST_DISCARD, g(0))});
    append(program, end_program(g(0)));
    bench_.put(kStart, program);
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    const hw::MessageTimes& times = bench_.trace.messages.begin()->second.times;
    EXPECT_EQ(times.handler_end - times.handler_begin, Cycles(2 + 1 + 3));
}

class SparcleCoreTest : public ::testing::Test {
  protected:
    // Puts the program at address 0, with traps disabled, and appends the program's end.
    void put(ProgramBench::Words program) {
        append(program, end_program(g(0)));
        bench_.put(0, program);
    }
    ProgramBench bench_;
};

TEST_F(SparcleCoreTest, AnAlarmIsAnsweredInItsCycle) {
    ProgramBench::Words program = set_register(g(1), WEIR_HOST_BASE);
    append(program, set_register(g(2), 5000));
    append(program, {access(kSt, g(2), g(1), WEIR_HOST_ALARM - WEIR_HOST_BASE),
                     access(kLd, g(0), g(1), WEIR_HOST_ALARM - WEIR_HOST_BASE),
                     access(kLd, g(3), g(1), WEIR_HOST_CYCLE - WEIR_HOST_BASE),
                     access(kSt, g(3), g(0), 0x400)});
    put(program);
    bench_.run();
    EXPECT_EQ(bench_.read(0, 0x400), 5002U);
    EXPECT_EQ(bench_.core(0).statistics().wait_cycles.value(), 5000 - 7);
}

// The cycles between the two notes count as synchronization, the first note's included.
TEST_F(SparcleCoreTest, AProgramsWaitForAnotherThreadIsSynchronization) {
    put({SPARCLE_NOTE(SPARCLE_WAIT_BEGINS), kNop, kNop, kNop, SPARCLE_NOTE(SPARCLE_WAIT_ENDS),
         kNop});
    bench_.run();
    EXPECT_EQ(bench_.core(0).statistics().synchronize_cycles.value(), 4);
    EXPECT_GE(bench_.core(0).statistics().compute_cycles.value(), 2);
}

// Three consecutive loads from the counter; a load from another register is between the last two.
class CycleCounterTest : public SparcleCoreTest, public ::testing::WithParamInterface<int> {};

TEST_P(CycleCounterTest, ALoadFromItTakesItsCyclesMoreAndNoOtherDoes) {
    bench_.set(bench_.configuration.sparcle, "cycle_counter_cycles", std::int64_t{GetParam()});
    ProgramBench::Words program = set_register(g(1), WEIR_HOST_BASE);
    append(program, {access(kLd, g(2), g(1), WEIR_HOST_CYCLE - WEIR_HOST_BASE),
                     access(kLd, g(3), g(1), WEIR_HOST_CYCLE - WEIR_HOST_BASE),
                     access(kLd, g(0), g(1), WEIR_HOST_CYCLE_HIGH - WEIR_HOST_BASE),
                     access(kLd, g(4), g(1), WEIR_HOST_CYCLE - WEIR_HOST_BASE),
                     access(kSt, g(2), g(0), 0x400), access(kSt, g(3), g(0), 0x404),
                     access(kSt, g(4), g(0), 0x408)});
    put(program);
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    const auto more = static_cast<std::uint32_t>(GetParam());
    const std::uint32_t first = bench_.read(0, 0x400);
    EXPECT_EQ(first, 2U);  // after the two instructions that set %g1
    EXPECT_EQ(bench_.read(0, 0x404), first + 2 + more);
    EXPECT_EQ(bench_.read(0, 0x408), first + 2 + more + 2 + more + 2);
}

INSTANTIATE_TEST_SUITE_P(CyclesMore, CycleCounterTest, ::testing::Values(0, 1, 40));

TEST_F(SparcleCoreTest, ConsoleStatusAndMarks) {
    ProgramBench::Words program = set_register(g(1), WEIR_HOST_BASE);
    append(program, {operation_immediate(kOr, g(2), g(0), 'w'),
                     access(kSt, g(2), g(1), WEIR_HOST_CONSOLE - WEIR_HOST_BASE),
                     operation_immediate(kOr, g(3), g(0), 7),
                     access(kSt, g(3), g(1), WEIR_HOST_MARK_NAME - WEIR_HOST_BASE),
                     access(kSt, g(2), g(1), WEIR_HOST_MARK - WEIR_HOST_BASE)});
    append(program, end_program(g(3)));
    bench_.put(0, program);
    bench_.run();
    EXPECT_EQ(bench_.console, "ww");
    EXPECT_EQ(bench_.exits, (std::map<std::int32_t, std::uint32_t>{{0, 7}, {1, 7}}));
    ASSERT_EQ(bench_.trace.marks.size(), 2U);
    EXPECT_EQ(bench_.trace.marks[0].name, "mark 7");
    EXPECT_EQ(bench_.trace.marks[0].value, 'w');
}

TEST_F(SparcleCoreTest, AMarkWithoutANameIsNumberZero) {
    ProgramBench::Words program = set_register(g(1), WEIR_HOST_BASE);
    append(program, {access(kSt, g(0), g(1), WEIR_HOST_MARK - WEIR_HOST_BASE)});
    put(program);
    bench_.run();
    ASSERT_EQ(bench_.trace.marks.size(), 2U);
    EXPECT_EQ(bench_.trace.marks[0].name, "mark 0");
}

TEST_F(SparcleCoreTest, AProgramBeginsAsSupervisorWithoutTrapsInTheFirstWindow) {
    put({operation(kRdpsr, g(2), 0, 0), access(kSt, g(2), g(0), 0x400)});
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    constexpr std::uint32_t kWindow = 0x1f;
    EXPECT_EQ(bench_.read(0, 0x400) & (kPsrSupervisor | kPsrTraps | kWindow), kPsrSupervisor);
}

// Node 0 executes `then` with the controller's address in %g1; node 1 loops for ever.
class UnfinishedTest : public SparcleCoreTest {
  protected:
    void run(const ProgramBench::Words& then) {
        ProgramBench::Words program = set_register(g(1), WEIR_HOST_BASE);
        append(program, {access(kLd, g(2), g(1), 0), operation_immediate(kSubcc, g(0), g(2), 0),
                         branch(kBicc, 1, false, 4), kNop, branch(kBicc, kAlways, false, 0), kNop});
        append(program, set_register(g(1), WEIR_CONTROLLER_BASE));
        append(program, then);
        put(program);
        bench_.run(Cycles(2'000));
    }
    const Core::Statistics& statistics() { return bench_.core(0).statistics(); }
};

TEST_F(UnfinishedTest, ALaunchThatStillWaitsWasBlockedUntilTheEnd) {
    for (const char* queue : {"input_queue_bytes", "output_queue_bytes"}) {
        bench_.set(bench_.configuration.controller, queue, std::int64_t{64});
    }
    ProgramBench::Words send = set_register(g(2), WEIR_HEADER(0, 2, 1));
    append(send, {operation_immediate(kOr, g(3), g(0), 2), access(kSt, g(2), g(1), 0),
                  access(kSt, g(0), g(1), 4), SPARCLE_CPOP1(SPARCLE_IPILAUNCH, g(3)),
                  branch(kBicc, kAlways, false, -3), kNop});
    run(send);
    EXPECT_GT(statistics().blocked_cycles.value(), 1'000);
}

// RDPSR, NEXTF, a branch, WRPSR, its delay slot, JMPL, RETT: 9 cycles, and 5 to the vector.
TEST_F(SparcleCoreTest, ALoadThatFindsItsWordEmptySwitchesToTheNextContextInFourteenCycles) {
    constexpr std::uint32_t kVector = 16 * SPARCLE_TRAP_FULL_EMPTY;
    bench_.put(0, {branch(kBicc, kAlways, false, kStart / 4), kNop});
    bench_.put(kVector, {operation(kRdpsr, l(0), 0, 0), SPARCLE_CPOP1(SPARCLE_NEXTF, 0),
                         branch(kBicc, kAlways, false, (0x3000 - 0x618) / 4),
                         operation(kWrpsr, 0, l(0), g(0))});
    bench_.put(0x3000, {kNop, operation_immediate(kJmplOp3, g(0), l(1), 0),
                        operation(kRettOp3, 0, l(2), 0)});
    // Context 0 has windows 7 and 6, context 1 windows 1 and 0. The program sets up context 1's
    // trap window.
    ProgramBench::Words program{operation_immediate(kWrpsr, 0, g(0), kPsrSupervisor | 0)};
    append(program, set_register(l(1), 0x2000));
    append(program,
           {operation_immediate(kAdd, l(2), l(1), 4),
            operation_immediate(kOr, l(0), g(0), kPsrSupervisor | kPsrPrevious | 0),
            operation_immediate(kWrpsr, 0, g(0), kPsrSupervisor | kPsrTraps | 7),
            sethi(g(1), kArrived), alternate(kSt, g(0), g(1), g(0), SPARCLE_ASI_STORE_EMPTY)});
    const auto load = static_cast<std::uint32_t>(kStart + program.size() * 4);
    append(program, {alternate(kLd, g(2), g(1), g(0), SPARCLE_ASI_LOAD_FULL)});
    append(program, end_program(g(2)));
    bench_.put(kStart, program);
    // Context 1 fills the word, and waits for another word.
    ProgramBench::Words other{operation_immediate(kOr, g(3), g(0), 42),
                              alternate(kSt, g(3), g(1), g(0), SPARCLE_ASI_STORE_FULL)};
    append(other, end_program(g(3)));
    bench_.put(0x2000, other);
    bench_.run();
    EXPECT_EQ(bench_.exits[0], 42U);
    const Recorder& recorder = bench_.recorder(0);
    Cycles trapped{0};
    for (const ExecutedInstruction& instruction : recorder.instructions) {
        if (instruction.is_trap && instruction.pc == load) {
            EXPECT_EQ(instruction.trap_type, SPARCLE_TRAP_FULL_EMPTY);
            trapped = instruction.begin;
        }
    }
    EXPECT_EQ(recorder.at(0x2000).begin - trapped, Cycles(5 + 1 + 1 + 1 + 1 + 1 + 2 + 2));
    EXPECT_EQ(bench_.core(0).statistics().context_switches.value(), 1);
    EXPECT_EQ(bench_.core(0).statistics().switch_cycles.value(), 14);
}

// A program in an endless loop is reported at the branch to itself, not at its annulled slot.
TEST_F(SparcleCoreTest, AnEndlessLoopIsReportedWhereItIs) {
    constexpr std::uint32_t kBranchToItself = 0x30800000;  // ba,a .
    bench_.put(0, {kNop, kBranchToItself});
    for (const hw::Cycles end : {hw::Cycles(1'000), hw::Cycles(1'001)}) {
        bench_.run(end);
        hw::WaitReport report;
        bench_.core(0).report_waits(report);
        ASSERT_EQ(report.size(), 1U);
        EXPECT_THAT(report.front().for_whom, Names("program's", "end"));
        EXPECT_THAT(report.front().why, Names("runs", "0x00000004"));
    }
}

// Memory is changed while the machine is stopped, as by a debugger or a loader.
TEST_F(SparcleCoreTest, AnInstructionThatWasChangedInMemoryIsExecutedAsItIs) {
    put({kNop, branch(kBicc, kAlways, false, 0), kNop});
    EXPECT_EQ(bench_.run(hw::Cycles(1'000)), RunEnd::kCycleLimit);
    for (const std::int32_t node : {0, 1}) {
        bench_.write(node, 4, kNop);
    }
    EXPECT_EQ(bench_.run(), RunEnd::kFinished);
}

TEST_F(SparcleCoreTest, AnIllegalInstructionWithoutHandlerIsReportedWithPlaceAndRegisters) {
    put({kNop, sethi(g(1), 0x12345400), 0, kNop});
    const std::string fault = bench_.fault();
    EXPECT_THAT(fault, Names("node 0, cycle 2: ", "illegal", "0x2", "0x00000008",
                             "0x00000000 (unimp 0)", "disabled"));
    EXPECT_THAT(fault, HasSubstr("\n  g0-7 00000000 12345400 "));
}

// Vectors are at 16 times the trap type; a handler follows the last vector.
TEST_F(SparcleCoreTest, AnIllegalInstructionBehindTheVectorsIsReportedItself) {
    constexpr std::uint32_t kFirstTrapInstruction = 16 * 0x80;
    constexpr std::uint32_t kBehindTheVectors = 0x1000;
    put({operation_immediate(kWrpsr, 0, g(0), kPsrSupervisor | kPsrTraps), kNop, kNop, kNop,
         operation_immediate(kTiccOp3, kAlways, g(0), 0), kNop});
    bench_.put(
        kFirstTrapInstruction,
        {branch(kBicc, kAlways, false, (kBehindTheVectors - kFirstTrapInstruction) / 4), kNop});
    bench_.put(kBehindTheVectors, {0});
    EXPECT_THAT(bench_.fault(),
                Names("illegal", "0x2", "0x00001000", "0x00000000 (unimp 0)", "disabled"));
}

// The report names SPARC V8 for an instruction of V8, but not for an invalid instruction.
TEST_F(SparcleCoreTest, AnInstructionOfV8IsReportedAsSuch) {
    put({operation_immediate(kWrpsr, 0, g(0), kPsrSupervisor | kPsrFloat), kNop, kNop, kNop,
         float_operation(kFsmuld, 0, 2, 4)});
    const std::string fault = bench_.fault();
    EXPECT_THAT(fault, Names("0x00000010", "0x81a08d24 (fsmuld %f2, %f4, %f0)", "disabled",
                             "SPARC V8", "sparcle.multiply_divide = true"));
}

TEST_F(SparcleCoreTest, AProductOfV8IsReportedAsSuch) {
    put({operation(kUmulcc, g(1), g(2), g(3))});
    EXPECT_THAT(bench_.fault(), Names("SPARC V8", "sparcle.multiply_divide = true"));
}

TEST_F(SparcleCoreTest, WhatNoSparcHasIsNotReportedAsV8s) {
    put({0});
    EXPECT_THAT(bench_.fault(), Not(HasSubstr("V8")));
}

// Sixteen calls deep: the last ten and the first four are listed.
TEST_F(SparcleCoreTest, AFaultNamesItsFunctionAndWhoCalledIt) {
    bench_.layout.null_page_end = 0x100;
    bench_.layout.text = {{0x1000, 0x2000}};
    bench_.symbol = [](std::uint32_t address) {
        return address >= 0x1000 ? std::string("leaf+0x8 (leaf.c:12)") : std::string();
    };
    bench_.callers = [](SparcleCore&) {
        std::vector<SparcleCore::Caller> all;
        for (std::uint32_t i = 0; i < 16; ++i) {
            all.push_back({0x100 + 4 * i});
        }
        return all;
    };
    bench_.put(0, {branch(kBicc, kAlways, false, 0x1000 / 4), kNop});
    bench_.put(0x1000, {access(kLd, g(2), g(0), 8)});
    const std::string fault = bench_.fault();
    EXPECT_THAT(fault, Names("null", "leaf (leaf.c:12)\n", "0x00000100\n", "0x00000124\n", "2",
                             "0x00000130\n"));
    EXPECT_THAT(fault, Not(HasSubstr("0x00000128")));
    EXPECT_THAT(fault, Not(HasSubstr("0x0000012c")));
}

TEST_F(SparcleCoreTest, AMisalignedLoadWithoutHandlerIsReported) {
    put({operation_immediate(kOr, g(1), g(0), 2), access(kLd, g(2), g(1), 0)});
    EXPECT_THAT(bench_.fault(), Names("node 0, cycle 1: ", "misaligned", "0x7", "0x00000004"));
}

TEST_F(SparcleCoreTest, AnAddressOutsideMemoryIsADataAccessException) {
    put({sethi(g(1), 0xf0000000), access(kLd, g(2), g(1), 0)});
    const std::string fault = bench_.fault();
    EXPECT_THAT(fault, Names("data", "exception", "0x9", "0x00000004"));
    EXPECT_THAT(fault, Names("load", "0xf0000000", "TLM_ADDRESS_ERROR_RESPONSE"));
}

TEST_F(SparcleCoreTest, ALoadFromASpaceOfInstructionsOutsideMemoryIsADataAccessException) {
    put({sethi(g(1), 0xf0000000),
         alternate(kLd, g(2), g(1), g(0), SPARCLE_ASI_SUPERVISOR_INSTRUCTION)});
    EXPECT_THAT(bench_.fault(), Names("data", "exception", "0x9", "0x00000004"));
}

class FetchTest : public SparcleCoreTest {
  protected:
    FetchTest() { bench_.set(bench_.configuration.memory, "bytes", kMemoryBytes); }
    static constexpr std::int64_t kMemoryBytes = 0x10000;
};

// Fetches behind the end of memory, and behind all addresses of a node.
class FetchOutsideMemoryTest : public FetchTest,
                               public ::testing::WithParamInterface<std::uint32_t> {};

TEST_P(FetchOutsideMemoryTest, IsAnInstructionAccessException) {
    put({sethi(g(1), GetParam()), operation_immediate(kJmplOp3, g(0), g(1), 0), kNop});
    EXPECT_THAT(bench_.fault(),
                HasSubstr(fmt::format("instruction access exception (trap type 0x1) at {:#010x}",
                                      GetParam())));
}

INSTANTIATE_TEST_SUITE_P(Addresses, FetchOutsideMemoryTest,
                         ::testing::Values(0x10000U, 0xf0000000U));

// The last word of memory is a branch that annuls the following word.
TEST_F(FetchTest, AnAnnulledInstructionNeedNotBeInMemory) {
    constexpr std::int32_t kLast = kMemoryBytes - 4;
    bench_.put(0, {branch(kBicc, kAlways, false, kLast / 4), kNop});
    bench_.put(kLast, {branch(kBicc, kAlways, true, (0x1000 - kLast) / 4)});
    bench_.put(0x1000, end_program(g(0)));
    EXPECT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(bench_.recorder(0).at(kMemoryBytes).cycles(), Cycles(1));
}

TEST_F(SparcleCoreTest, WhatTheControllerRefusesIsReportedWithItsReason) {
    ProgramBench::Words program = set_register(g(1), WEIR_CONTROLLER_BASE);
    append(program,
           {operation_immediate(kOr, g(3), g(0), 2), SPARCLE_CPOP1(SPARCLE_IPILAUNCH, g(3))});
    put(program);
    EXPECT_THAT(bench_.fault(), Names("descriptor", "words", "launch"));
}

}  // namespace
}  // namespace weir::nodes::sparcle
