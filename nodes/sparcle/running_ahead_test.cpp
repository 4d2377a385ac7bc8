// Running ahead and the cache of decoded instructions change no result. Bytes, cycles and
// statistics are those of a core that executes an instruction a tick.

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "firmware/testing/program_bench.h"
#include "hw/controller/controller_registers.h"
#include "hw/testing/separate_run.h"
#include "memory/coherence/address_map.h"
#include "nodes/sparcle/decoded_instruction.h"
#include "nodes/sparcle/testing/functional_machine.h"

namespace weir::nodes::sparcle {
namespace {

using firmware::testing::append;
using firmware::testing::end_program;
using firmware::testing::kMessageVector;
using firmware::testing::kStart;
using firmware::testing::ProgramBench;
using firmware::testing::set_register;
using hw::Cycles;
using hw::testing::result_of_separate_run;
using namespace testing;  // NOLINT(google-build-using-namespace): an assembler's mnemonics

constexpr std::uint32_t kFunction = 0x3000;
constexpr std::uint32_t kWords = 0x5000;

struct Choice {
    std::int64_t caches = 1;
    bool runs_ahead = true;
    std::int64_t notify_cycles = 10;
    std::string tick_order = "wake";
    bool sleeping = true;
    Cycles most_cycles{100'000};
    bool is_watched = false;
    bool shares_memory = false;
};

// Describes the first cycle or the number of instructions that an observer of a core missed; empty
// if it has seen all.
std::string unseen(const firmware::testing::Recorder& recorder, const SparcleCore& core) {
    std::ostringstream text;
    std::int64_t executed = 0;
    Cycles issue{0};
    for (const ExecutedInstruction& instruction : recorder.instructions) {
        if (instruction.begin != issue) {
            text << "no instruction is seen in cycle " << issue << "\n";
            break;
        }
        issue += instruction.cycles();
        executed += instruction.is_trap ? 0 : 1;
    }
    if (text.str().empty() && executed != core.execution().instructions.value()) {
        text << executed << " of " << core.execution().instructions.value() << " are seen\n";
    }
    return text.str();
}

// Returns all results of a run with the programs that `put` loads. In a separate process, since
// SystemC allows one machine a process.
std::string outcome(const std::function<void(ProgramBench&)>& put, const Choice& choice) {
    return result_of_separate_run([&] {
        ProgramBench bench;
        bench.set(bench.configuration.memory, "caches", choice.caches);
        bench.set(bench.configuration.memory, "bytes", std::int64_t{1} << 16);
        bench.set(bench.configuration.sparcle, "run_ahead", choice.runs_ahead);
        bench.set(bench.configuration.controller, "notify_cycles", choice.notify_cycles);
        bench.configuration.shares_memory = choice.shares_memory;
        if (choice.shares_memory) {
            bench.set(bench.configuration.coherence, "shared_bytes", std::int64_t{4096});
        }
        bench.set_ticks(choice.tick_order, choice.sleeping);
        put(bench);
        bench.load();
        for (const std::int32_t node : {0, 1}) {
            if (!choice.is_watched) {
                bench.core(node).set_observer(nullptr);  // an observer would disable running ahead
            }
        }
        std::ostringstream text;
        text << static_cast<int>(bench.run(choice.most_cycles)) << " in cycle "
             << bench.machine().now() << "\n";
        for (const auto& [node, status] : bench.exits) {
            text << "node " << node << ": status " << status << "\n";
        }
        for (const hw::PartStatistics& part : bench.machine().statistics()) {
            for (const hw::Counter* counter : part.group->counters()) {
                text << part.part << "." << counter->name() << " " << counter->value() << "\n";
            }
        }
        if (choice.is_watched) {
            for (const std::int32_t node : {0, 1}) {
                text << unseen(bench.recorder(node), bench.core(node));
            }
        }
        for (const auto& [id, message] : bench.trace.messages) {
            text << "message " << message.times.handler_begin << " " << message.times.code_begin
                 << " " << message.times.code_end << " " << message.times.handler_end << "\n";
        }
        for (const std::int32_t node : {0, 1}) {
            std::array<std::uint32_t, 0x8000 / 4> words{};
            bench.machine().read<std::uint32_t>(hw::NodeId(node), 0, words);
            for (std::size_t i = 0; i < words.size(); ++i) {
                if (words[i] != 0) {
                    text << node << " " << 4 * i << " " << words[i] << "\n";
                }
            }
        }
        return text.str();
    });
}

void append_node_test(ProgramBench::Words& program, std::int32_t words_to_node_1) {
    append(program, set_register(g(1), WEIR_HOST_BASE));
    append(program, {access(kLd, g(2), g(1), 0), operation_immediate(kSubcc, g(0), g(2), 0),
                     branch(kBicc, kNotEqual, false, words_to_node_1), kNop});
    append(program, set_register(g(1), WEIR_CONTROLLER_BASE));
}

// --- Observers

// Loads and stores of all sizes have the same results, cycles and counts with an observer.
TEST(WatchedCoreTest, CountsWhatAnotherCounts) {
    const auto put = [](ProgramBench& bench) {
        ProgramBench::Words program = set_register(g(1), kWords);
        append(program, {access(kSt, g(1), g(1), 0), access(kSth, g(1), g(1), 4),
                         access(kStb, g(1), g(1), 6), access(kStd, g(0), g(1), 8),
                         access(kLdd, g(2), g(1), 0), operation(kAdd, g(4), g(3), g(1)),
                         access(kLdsh, g(5), g(1), 4), access(kLdub, g(6), g(1), 6),
                         operation(kAdd, g(5), g(5), g(6)), access(kSt, g(5), g(1), 16),
                         operation_immediate(kJmplOp3, g(3), g(0), 0x38), kNop,
                         branch(kBicc, kAlways, true, 3), kNop, kNop, access(kSt, g(4), g(1), 20)});
        append(program, end_program(g(5)));
        bench.put(0, program);
    };
    for (const std::int64_t caches : {0, 1}) {
        const std::string alone = outcome(put, {.caches = caches});
        EXPECT_NE(alone.find("node 0: status "), std::string::npos) << alone;
        EXPECT_EQ(outcome(put, {.caches = caches, .is_watched = true}), alone) << caches;
    }
}

// Progress must not be inferred from cycles: loads and stores may take none.
TEST(AccessesWithoutCyclesTest, AreDoneAndCountedOnce) {
    const auto put = [](ProgramBench& bench) {
        bench.set(bench.configuration.memory, "load_cycles", std::int64_t{0});
        bench.set(bench.configuration.memory, "store_cycles", std::int64_t{0});
        ProgramBench::Words program = set_register(g(1), kWords);
        append(program, {operation_immediate(kOr, g(2), g(0), 20), access(kLd, g(3), g(1), 0),
                         operation_immediate(kAdd, g(3), g(3), 3), access(kSt, g(3), g(1), 0),
                         operation_immediate(kSubcc, g(2), g(2), 1),
                         branch(kBicc, kNotEqual, false, -4), kNop});
        append(program, end_program(g(3)));
        bench.put(0, program);
    };
    for (const std::int64_t caches : {0, 1}) {
        const std::string ahead = outcome(put, {.caches = caches});
        EXPECT_NE(ahead.find("node 0: status 60\n"), std::string::npos) << ahead;
        EXPECT_EQ(outcome(put, {.caches = caches, .runs_ahead = false}), ahead) << caches;
        EXPECT_EQ(outcome(put, {.caches = caches, .is_watched = true}), ahead) << caches;
    }
}

// --- Self-modifying code

// Calls a function that returns a constant, changes the constant, and calls it again, eight times.
// Returns the sum, 0 + 1 + ... + 7 if every change takes effect at once.
void put_self_modifying(ProgramBench& bench, bool flushes) {
    bench.put(kFunction, {operation_immediate(kJmplOp3, g(0), o(7), 8),
                          operation_immediate(kOr, o(0), g(0), 0)});
    ProgramBench::Words program = set_register(g(1), kFunction);
    append(program,
           {operation_immediate(kOr, g(3), g(0), 0),  // the sum
            operation_immediate(kOr, g(4), g(0), 8),  // remaining calls
            operation_immediate(kJmplOp3, o(7), g(1), 0), kNop, operation(kAdd, g(3), g(3), o(0)),
            access(kLd, g(2), g(1), 4), operation_immediate(kAdd, g(2), g(2), 1),
            access(kSt, g(2), g(1), 4), flushes ? operation_immediate(kFlush, 0, g(1), 4) : kNop,
            operation_immediate(kSubcc, g(4), g(4), 1), branch(kBicc, kNotEqual, false, -8), kNop});
    append(program, end_program(g(3)));
    bench.put(0, program);
}

class CodeThatChangesTest : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(CodeThatChangesTest, AStoreIntoCodeIsExecutedAtOnce) {
    for (const bool flushes : {false, true}) {
        const auto put = [&](ProgramBench& bench) { put_self_modifying(bench, flushes); };
        const std::string ahead = outcome(put, {.caches = GetParam()});
        EXPECT_NE(ahead.find("node 0: status 28\n"), std::string::npos) << ahead;
        EXPECT_EQ(outcome(put, {.caches = GetParam(), .runs_ahead = false}), ahead);
    }
}

// Node 1 calls a function, which is then decoded. A DMA engine stores another function over it, and
// node 1 calls that.
TEST_P(CodeThatChangesTest, ABodyThatAnEngineStoresIntoCodeIsExecutedAtOnce) {
    const auto put = [](ProgramBench& bench) {
        constexpr std::uint32_t kReturn = operation_immediate(kJmplOp3, g(0), o(7), 8);
        bench.put(kFunction, {kReturn, operation_immediate(kOr, o(0), g(0), 5), kNop, kNop});
        bench.put(kWords, {kReturn, operation_immediate(kOr, o(0), g(0), 9), kNop, kNop});
        ProgramBench::Words send = set_register(g(2), WEIR_HEADER(0, 2, 1));
        append(send, set_register(g(3), kWords));
        append(send, set_register(g(4), WEIR_LAUNCH_VALUE(2, 4, false)));
        append(send, {operation_immediate(kOr, g(5), g(0), 16), access(kSt, g(2), g(1), 0),
                      access(kSt, g(0), g(1), 4), access(kSt, g(3), g(1), 8),
                      access(kSt, g(5), g(1), 12), SPARCLE_CPOP1(SPARCLE_IPILAUNCH, g(4))});
        append(send, end_program(g(0)));
        ProgramBench::Words program;
        append_node_test(program, static_cast<std::int32_t>(send.size()) + 4);
        append(program, send);
        // Node 1; %g1 is not its controller's address yet.
        append(program, set_register(g(1), WEIR_CONTROLLER_BASE));
        append(program, set_register(g(2), kFunction));
        append(program,
               {operation_immediate(kJmplOp3, o(7), g(2), 0), kNop,
                operation_immediate(kOr, g(3), o(0), 0),
                access(kLd, g(6), g(1), WEIR_MESSAGE_WAITING - WEIR_CONTROLLER_BASE),
                operation_immediate(kSubcc, g(0), g(6), 0), branch(kBicc, kEqual, false, -2), kNop,
                SPARCLE_CPOP1(SPARCLE_IPICST_STORE, g(2)),
                access(kLd, g(6), g(1), WEIR_RECEIVE_DMA_IDLE - WEIR_CONTROLLER_BASE),
                SPARCLE_CPOP1(SPARCLE_IPICST_DISCARD, g(0)),
                operation_immediate(kJmplOp3, o(7), g(2), 0), kNop,
                operation_immediate(kSll, o(0), o(0), 4), operation(kAdd, g(3), g(3), o(0))});
        append(program, end_program(g(3)));
        bench.put(0, program);
    };
    const std::string ahead = outcome(put, {.caches = GetParam()});
    EXPECT_NE(ahead.find("node 1: status 149\n"), std::string::npos) << ahead;  // 149 = 5 + 16 x 9
    EXPECT_EQ(outcome(put, {.caches = GetParam(), .runs_ahead = false}), ahead);
}

INSTANTIATE_TEST_SUITE_P(Caches, CodeThatChangesTest, ::testing::Values(0, 1, 2));

// Planted fault that the programs above would detect: decoded instructions found by their address
// alone.
TEST(PlantedStaleInstructionTest, IsNoticed) {
    DecodedInstructions<16> kept;
    std::array<DecodedInstruction, 2> stale{};
    std::uint32_t fresh_sum = 0;
    std::uint32_t stale_sum = 0;
    IntegerUnit unit({});
    for (std::int32_t constant = 0; constant < 8; ++constant) {
        const std::uint32_t word = operation_immediate(kOr, o(0), g(0), constant);
        unit.execute(kept.of(kFunction, word));
        fresh_sum += unit.reg(o(0));
        if (stale[1].word == 0) {
            stale[1] = decode(word);
        }
        unit.execute(stale[1]);
        stale_sum += unit.reg(o(0));
    }
    EXPECT_EQ(fresh_sum, 28U);
    EXPECT_EQ(stale_sum, 0U);
}

// --- Interrupts
// -----------------------------------------------------------------------------------

// Node 0 sends `messages` messages, with `pause` additions before each. Node 1 executes `receiver`,
// and its handlers count the messages at kWords. Both nodes record cycles.
void put_receiver(ProgramBench& bench, std::int32_t pause, std::int32_t messages,
                  const ProgramBench::Words& receiver) {
    bench.put(0, {branch(kBicc, kAlways, false, kStart / 4), kNop});
    bench.put(kMessageVector, {branch(kBicc, kAlways, false, (0x1800 - 0x180) / 4), kNop});
    ProgramBench::Words entry = set_register(l(3), WEIR_CONTROLLER_BASE);
    append(entry, set_register(l(5), kWords));
    append(entry, {operation(kRdpsr, l(0), 0, 0), access(kLd, l(6), l(5), 0),
                   operation_immediate(kAdd, l(6), l(6), 1), access(kSt, l(6), l(5), 0),
                   // The interrupted computation's state, at kWords + 16, summed over all messages.
                   access(kLd, l(7), l(5), 16), operation(kAdd, l(7), l(7), g(5)),
                   operation(kAdd, l(7), l(7), l(1)), access(kSt, l(7), l(5), 16),
                   access(kSt, g(0), l(3), WEIR_DISPOSE - WEIR_CONTROLLER_BASE),
                   operation(kWrpsr, 0, l(0), g(0)), kNop, kNop, kNop,
                   operation_immediate(kJmplOp3, g(0), l(1), 0), operation(kRettOp3, 0, l(2), 0)});
    bench.put(0x1800, entry);
    ProgramBench::Words send = set_register(g(2), WEIR_HEADER(0, 2, 1));
    append(send,
           {operation_immediate(kOr, g(6), g(0), messages),
            // Loop, once for each message:
            operation_immediate(kOr, g(4), g(0), pause), operation_immediate(kSubcc, g(4), g(4), 1),
            branch(kBicc, kNotEqual, false, -1), kNop, operation_immediate(kOr, g(3), g(0), 2),
            access(kSt, g(2), g(1), 0), access(kSt, g(0), g(1), 4),
            SPARCLE_CPOP1(SPARCLE_IPILAUNCH, g(3)), operation_immediate(kSubcc, g(6), g(6), 1),
            branch(kBicc, kNotEqual, false, -9), kNop});
    append(send, end_program(g(0)));
    ProgramBench::Words program{operation_immediate(kWrpsr, 0, g(0), kPsrSupervisor | kPsrTraps),
                                kNop, kNop, kNop};
    append_node_test(program, static_cast<std::int32_t>(send.size()) + 4);
    append(program, send);
    append(program, receiver);
    bench.put(kStart, program);
}

// Node 1 computes, stores and calls.
void put_interrupted(ProgramBench& bench, std::int32_t pause, std::int32_t messages) {
    // %g4 rounds, %g5 a sum; it stores to its own line, loads the stored word, and annuls.
    ProgramBench::Words program = set_register(g(2), kWords + 0x100);
    append(
        program,
        {operation_immediate(kOr, g(4), g(0), 400), operation_immediate(kOr, g(5), g(0), 1),
         // A round:
         operation(kAdd, g(5), g(5), g(4)), access(kSt, g(5), g(2), 0), access(kLd, g(6), g(2), 0),
         operation(kXor, g(5), g(6), g(4)), access(kStb, g(5), g(2), 7),
         access(kLdsb, g(6), g(2), 7), operation(kAdd, g(5), g(5), g(6)),
         operation_immediate(kAndcc, g(0), g(5), 1), branch(kBicc, kEqual, true, 2),
         operation_immediate(kAdd, g(5), g(5), 3), operation_immediate(kSubcc, g(4), g(4), 1),
         branch(kBicc, kNotEqual, false, -11), kNop});
    append(program, end_program(g(5)));
    put_receiver(bench, pause, messages, program);
}

class InterruptedTest : public ::testing::TestWithParam<std::int64_t> {};

// The interrupt comes at various places of the computation.
TEST_P(InterruptedTest, AnInterruptIsTakenBeforeTheSameInstruction) {
    for (const std::int32_t pause : {20, 21, 22, 23, 37, 90, 151, 300, 420}) {
        const auto put = [&](ProgramBench& bench) { put_interrupted(bench, pause, 5); };
        const std::string ahead = outcome(put, {.caches = GetParam()});
        EXPECT_EQ(outcome(put, {.caches = GetParam(), .runs_ahead = false}), ahead) << pause;
        EXPECT_EQ(outcome(put, {.caches = GetParam(), .tick_order = "shuffled"}), ahead) << pause;
        EXPECT_EQ(outcome(put, {.caches = GetParam(), .sleeping = false}), ahead) << pause;
    }
}

// A stop of the machine finds all cores in the state of the cycle in which it stops.
TEST_P(InterruptedTest, TheMachineStopsInTheSameState) {
    const auto put = [](ProgramBench& bench) { put_interrupted(bench, 90, 5); };
    for (const std::int64_t cycle : {100, 333, 334, 335, 512, 700, 1001, 2002, 4096, 4097, 5000}) {
        const std::string ahead =
            outcome(put, {.caches = GetParam(), .most_cycles = Cycles(cycle)});
        EXPECT_EQ(
            outcome(put, {.caches = GetParam(), .runs_ahead = false, .most_cycles = Cycles(cycle)}),
            ahead)
            << cycle;
    }
}

INSTANTIATE_TEST_SUITE_P(Caches, InterruptedTest, ::testing::Values(0, 1, 2));

// --- Waiting loops

// Loops that wait until the word at %g2 is that in %g3, with the state in %g5 and %g6.
const std::vector<ProgramBench::Words>& waiting_loops() {
    static const std::vector<ProgramBench::Words> loops = {
        {access(kLd, g(6), g(2), 0), operation(kSubcc, g(0), g(6), g(3)),
         branch(kBicc, kNotEqual, false, -2), kNop},
        // An annulled delay slot, and a load that the next iteration waits for.
        {operation(kSubcc, g(0), g(6), g(3)), branch(kBicc, kNotEqual, true, -1),
         access(kLd, g(6), g(2), 0)},
        // Two branches; the second one annuls its delay slot although it is taken.
        {access(kLd, g(6), g(2), 0), operation(kSubcc, g(0), g(6), g(3)),
         branch(kBicc, kEqual, true, 5), kNop, kNop, branch(kBicc, kAlways, true, -5), kNop},
        // A counter, so that no two iterations are the same.
        {access(kLd, g(6), g(2), 0), operation(kSubcc, g(0), g(6), g(3)),
         branch(kBicc, kNotEqual, false, -2), operation_immediate(kAdd, g(5), g(5), 1)},
        // A register that returns to its value after two iterations, and a carry that changes.
        {access(kLd, g(6), g(2), 0), operation_immediate(kXor, g(5), g(5), 1),
         operation(kSubcc, g(0), g(5), g(6)), operation(kSubcc, g(0), g(6), g(3)),
         branch(kBicc, kNotEqual, false, -4), kNop},
        // A multiply step, which changes Y.
        {access(kLd, g(6), g(2), 0), operation(kMulscc, g(5), g(5), g(3)),
         operation(kSubcc, g(0), g(6), g(3)), branch(kBicc, kNotEqual, false, -3), kNop},
        // A store, which makes each iteration one with an effect.
        {access(kLd, g(6), g(2), 0), operation(kSubcc, g(0), g(6), g(3)),
         access(kSt, g(6), g(2), 0x40), branch(kBicc, kNotEqual, false, -3), kNop},
    };
    return loops;
}

// Node 1 waits in the loop until it has counted three messages.
void put_waiting(ProgramBench& bench, const ProgramBench::Words& loop, std::int32_t pause) {
    constexpr std::int32_t kMessages = 3;
    ProgramBench::Words program = set_register(g(2), kWords);
    append(program,
           {operation_immediate(kOr, g(3), g(0), kMessages),
            operation_immediate(kOr, g(5), g(0), 0), operation_immediate(kOr, g(6), g(0), 0)});
    append(program, loop);
    append(program, end_program(g(5)));
    put_receiver(bench, pause, kMessages, program);
}

TEST_P(InterruptedTest, ALoopWaitsForAnInterruptForAsManyCycles) {
    for (const ProgramBench::Words& loop : waiting_loops()) {
        for (const std::int32_t pause : {5, 90, 91, 92, 93, 94, 95, 400, 1500}) {
            const auto put = [&](ProgramBench& bench) { put_waiting(bench, loop, pause); };
            const std::string ahead = outcome(put, {.caches = GetParam()});
            EXPECT_NE(ahead.find("node 1: status"), std::string::npos) << ahead;
            EXPECT_EQ(outcome(put, {.caches = GetParam(), .runs_ahead = false}), ahead) << pause;
        }
    }
}

// Node 0 waits in the loop until node 1 has stored to a word of shared memory, at node `home`.
void put_sharing(ProgramBench& bench, const ProgramBench::Words& loop, std::int32_t pause,
                 std::uint32_t home) {
    constexpr std::int32_t kValue = 3;
    ProgramBench::Words set_up = set_register(g(2), memory::kSharedBase + 4096 * home);
    append(set_up,
           {operation_immediate(kOr, g(3), g(0), kValue), operation_immediate(kOr, g(5), g(0), 0),
            operation_immediate(kOr, g(6), g(0), 0)});
    ProgramBench::Words wait = set_up;
    append(wait, loop);
    append(wait, end_program(g(5)));
    ProgramBench::Words program{operation_immediate(kWrpsr, 0, g(0), kPsrSupervisor | kPsrTraps),
                                kNop, kNop, kNop};
    append_node_test(program, static_cast<std::int32_t>(wait.size()) + 4);
    append(program, wait);
    // Node 1:
    append(program, set_up);
    append(program,
           {operation_immediate(kOr, g(4), g(0), pause), operation_immediate(kSubcc, g(4), g(4), 1),
            branch(kBicc, kNotEqual, false, -1), kNop, access(kSt, g(4), g(2), 4),
            access(kSt, g(3), g(2), 0)});
    append(program, end_program(g(0)));
    bench.put(0, program);
}

TEST(SharedWaitingTest, ALoopWaitsForAnotherNodeForAsManyCycles) {
    for (const ProgramBench::Words& loop : waiting_loops()) {
        for (const std::uint32_t home : {0U, 1U}) {
            for (const std::int32_t pause : {1, 30, 31, 32, 33, 34, 35, 300, 1500}) {
                const auto put = [&](ProgramBench& bench) {
                    put_sharing(bench, loop, pause, home);
                };
                const std::string ahead = outcome(put, {.shares_memory = true});
                EXPECT_NE(ahead.find("node 0: status"), std::string::npos) << ahead;
                EXPECT_NE(ahead.find("node 1: status"), std::string::npos) << ahead;
                EXPECT_EQ(outcome(put, {.runs_ahead = false, .shares_memory = true}), ahead)
                    << pause;
                EXPECT_EQ(outcome(put, {.tick_order = "shuffled", .shares_memory = true}), ahead)
                    << pause;
            }
        }
    }
}

// An observer, such as a debugger or a trace, sees each iteration's instructions in their cycles.
TEST(SharedWaitingTest, AnObserverSeesEveryIteration) {
    for (const ProgramBench::Words& loop : waiting_loops()) {
        const auto put = [&](ProgramBench& bench) { put_sharing(bench, loop, 700, 1); };
        EXPECT_EQ(outcome(put, {.is_watched = true, .shares_memory = true}),
                  outcome(put, {.shares_memory = true}));
    }
}

// A stop of the machine finds a waiting core in the state of that cycle.
TEST(SharedWaitingTest, TheMachineStopsInTheSameState) {
    const auto put = [](ProgramBench& bench) {
        put_sharing(bench, waiting_loops().front(), 1000, 1);
    };
    for (const std::int64_t cycle : {150, 151, 152, 153, 154, 155, 700, 1500, 2500}) {
        const std::string ahead =
            outcome(put, {.most_cycles = Cycles(cycle), .shares_memory = true});
        EXPECT_EQ(
            outcome(put,
                    {.runs_ahead = false, .most_cycles = Cycles(cycle), .shares_memory = true}),
            ahead)
            << cycle;
    }
}

// Planted fault: an interrupt taken a cycle late changes the results, so the comparison above can
// fail.
TEST(PlantedLateInterruptTest, IsNoticed) {
    const auto put = [](ProgramBench& bench) { put_interrupted(bench, 90, 5); };
    EXPECT_NE(outcome(put, {.notify_cycles = 11}), outcome(put, {}));
}

}  // namespace
}  // namespace weir::nodes::sparcle
