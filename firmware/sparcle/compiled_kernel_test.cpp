#include "firmware/sparcle/compiled_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <tuple>

#include "firmware/sparcle/testing/programs.h"
#include "firmware/sparcle/trap.h"
#include "firmware/testing/compiled_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {
namespace {

using firmware::testing::CompiledBench;
using firmware::testing::ProgramTestBench;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::StartsWith;
using weir::testing::Names;

class CompiledPrograms : public ::testing::TestWithParam<bool> {};

// Programs: sorting, checksums, strings, 32-bit and 64-bit arithmetic, floating point, deep
// recursion.
TEST_P(CompiledPrograms, WorkOutWhatTheHostDoes) {
    const bool has_floating_point_unit = GetParam();
    ProgramTestBench bench(has_floating_point_unit ? "programs" : "programs-soft-float");
    bench.set(bench.configuration.sparcle, "floating_point_unit", has_floating_point_unit);
    bench.set_workload("arguments", std::vector<std::int64_t>{77, 0});
    EXPECT_EQ(bench.outcome(hw::Cycles(40'000'000)), "right");
    EXPECT_EQ(bench.console, "2 arguments, 77 done\n");
    const std::vector<std::uint64_t> results =
        bench.long_words(3, "program_results", PROGRAM_COUNT);
    for (std::size_t i = 0; i < PROGRAM_COUNT; ++i) {
        EXPECT_EQ(results[i], program(static_cast<int>(i))) << "program " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(OnSparcle, CompiledPrograms, ::testing::Bool(), [](const auto& tested) {
    return tested.param ? "WithFloatUnit" : "WithoutFloatUnit";
});

TEST(CompiledProgram, AStatusOtherThanZeroIsAWrongAnswer) {
    ProgramTestBench bench("programs");
    bench.set_workload("arguments", std::vector<std::int64_t>{1, 9});
    EXPECT_THAT(bench.outcome(hw::Cycles(40'000'000)), Names("node 0", "status 9"));
}

class CompiledMessages : public ::testing::TestWithParam<std::string> {};

TEST_P(CompiledMessages, ArriveOnceWithWordsAndBodies) {
    ProgramTestBench bench("messages");
    bench.set(bench.configuration.core, "receive_mode", GetParam());
    EXPECT_EQ(bench.outcome(hw::Cycles(20'000'000)), "right") << bench.console;
}

// The input queue is full most of the time: traps save messages with and without bodies.
TEST_P(CompiledMessages, ArriveOnceThroughOverflowTraps) {
    ProgramTestBench bench("messages");
    bench.set(bench.configuration.core, "receive_mode", GetParam());
    bench.set(bench.configuration.controller, "overflow_trap", true);
    bench.set(bench.configuration.controller, "overflow_timeout_cycles", std::int64_t{32});
    EXPECT_EQ(bench.outcome(hw::Cycles(20'000'000)), "right") << bench.console;
    EXPECT_GT(
        bench.machine().node(hw::NodeId(0)).sparcle_core().statistics().overflow_traps.value(), 0);
}

INSTANTIATE_TEST_SUITE_P(ReceiveModes, CompiledMessages, ::testing::Values("interrupt", "polling"),
                         [](const auto& mode) { return mode.param; });

// Programs that check themselves: barriers that wait for handlers, collectives, and handlers in C
// together with threads in contexts.
class SelfCheckingProgram : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {
};

TEST_P(SelfCheckingProgram, IsRight) {
    ProgramTestBench bench(std::get<0>(GetParam()));
    bench.set(bench.configuration.core, "receive_mode", std::get<1>(GetParam()));
    EXPECT_EQ(bench.outcome(hw::Cycles(4'000'000)), "right") << bench.console;
}

INSTANTIATE_TEST_SUITE_P(
    OnSparcle, SelfCheckingProgram,
    ::testing::Combine(::testing::Values("barriers", "collectives", "contexts"),
                       ::testing::Values("interrupt", "polling")),
    [](const auto& tested) { return std::get<0>(tested.param) + "_" + std::get<1>(tested.param); });

struct FaultCase {
    std::int64_t fault;  // faults.c
    std::uint32_t trap;
    const char* place;
};

void PrintTo(const FaultCase& fault, std::ostream* out) {  // NOLINT(readability-identifier-naming)
    *out << "fault_" << fault.fault;
}

class CompiledFaults : public ::testing::TestWithParam<FaultCase> {};

TEST_P(CompiledFaults, StopTheNodeAndSayWhere) {
    ProgramTestBench bench("faults");
    bench.set_workload("arguments", std::vector<std::int64_t>{GetParam().fault});
    const std::string outcome = bench.outcome();
    const std::uint32_t status = WEIR_STATUS_TRAP + GetParam().trap;
    EXPECT_EQ(bench.exits.at(0), status);
    EXPECT_FALSE(bench.console.empty());
    const std::string fault = bench.kernel().check(bench.machine()).value_or("right");
    EXPECT_THAT(fault, Names("node 0", "trap"));
    EXPECT_THAT(fault, HasSubstr(GetParam().place));
}

INSTANTIATE_TEST_SUITE_P(
    OnSparcle, CompiledFaults,
    ::testing::Values(FaultCase{1, 0x02, "(firmware/sparcle/testing/faults.c:"},
                      FaultCase{2, 0x07, "main+0x"}, FaultCase{3, 0x82, "divided_by_zero"},
                      FaultCase{4, 0x04, "multiply+0x"}));

struct KernelCase {
    const char* kernel;
    std::vector<std::pair<const char*, hw::ParameterValue>> workload;
};

void PrintTo(const KernelCase& kernel,
             std::ostream* out) {  // NOLINT(readability-identifier-naming)
    *out << kernel.kernel << "_" << kernel.workload.size();
}

class CompiledKernels : public ::testing::TestWithParam<std::tuple<KernelCase, std::string>> {};

TEST_P(CompiledKernels, GiveTheRightAnswer) {
    const auto& [kernel, mode] = GetParam();
    CompiledBench bench(kernel.kernel);
    bench.set(bench.configuration.core, "receive_mode", mode);
    bench.set(bench.configuration.sparcle, "check_uninitialised", true);
    for (const auto& [name, value] : kernel.workload) {
        bench.set_workload(name, value);
    }
    EXPECT_EQ(bench.outcome(hw::Cycles(20'000'000)), "right") << bench.console;
}

std::vector<KernelCase> kernel_cases() {
    return {{"ping", {{"argument_words", std::vector<std::int64_t>{0, 1, 2, 5, 14}}}},
            {"body-ping",
             {{"body_bytes", std::vector<std::int64_t>{8, 256, 1000}},
              {"slot_cycles", std::int64_t{3000}}}},
            {"remap", {{"iterations", std::int64_t{40}}}},
            {"remap",
             {{"iterations", std::int64_t{40}},
              {"style", std::string("asynchronous")},
              {"argument_words", std::int64_t{4}},
              {"work_cycles", 200.0},
              {"work_distribution", std::string("exponential")},
              {"handler_work_cycles", 30.0},
              {"handler_squared_cv", 1.0}}},
            {"remap", {{"iterations", std::int64_t{20}}, {"body_bytes", std::int64_t{264}}}},
            // All nodes send to node 0, and node 0 to node 1: nodes 2 and 3 draw no handler work.
            {"remap",
             {{"iterations", std::int64_t{1}},
              {"style", std::string("asynchronous")},
              {"destinations", std::string("ascending")},
              {"handler_work_cycles", 80.0},
              {"handler_squared_cv", 2.0}}},
            {"remap",
             {{"iterations", std::int64_t{20}},
              {"style", std::string("asynchronous")},
              {"argument_words", std::int64_t{3}},
              {"send_buffers", std::int64_t{2}},
              {"body_bytes", std::int64_t{64}}}},
            {"broadcast", {}},
            {"broadcast", {{"tree", std::string("flat")}}},
            {"spmv", {{"rows", std::int64_t{40}}, {"nonzeros", std::int64_t{300}}}},
            {"diamond-dag",
             {{"tasks_per_side", std::int64_t{32}},
              {"blocks", std::int64_t{4}},
              {"message_bytes", hw::ParameterValue(std::int64_t{96})}}},
            {"jacobi", {{"grid", std::int64_t{16}}}},
            {"jacobi", {{"grid", std::int64_t{64}}, {"messages", std::string("long")}}}};
}

class CompiledBodies : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(CompiledBodies, OfARemapArriveWhoeverWaitsForEngines) {
    CompiledBench bench("remap");
    bench.set(bench.firmware_parameters, "body_send", std::get<0>(GetParam()));
    bench.set(bench.firmware_parameters, "body_receive", std::get<1>(GetParam()));
    bench.set_workload("iterations", std::int64_t{12});
    bench.set_workload("body_bytes", std::int64_t{512});
    EXPECT_EQ(bench.outcome(), "right");
}

TEST_P(CompiledBodies, OfBoundaryRowsArriveWhoeverWaitsForEngines) {
    CompiledBench bench("jacobi");
    bench.set(bench.firmware_parameters, "body_send", std::get<0>(GetParam()));
    bench.set(bench.firmware_parameters, "body_receive", std::get<1>(GetParam()));
    bench.set_workload("grid", std::int64_t{16});
    bench.set_workload("messages", std::string("long"));
    EXPECT_EQ(bench.outcome(), "right");
}

INSTANTIATE_TEST_SUITE_P(OnSparcle, CompiledBodies,
                         ::testing::Combine(::testing::Values("blocking", "status"),
                                            ::testing::Values("blocking", "status", "interrupt")));

INSTANTIATE_TEST_SUITE_P(OnSparcle, CompiledKernels,
                         ::testing::Combine(::testing::ValuesIn(kernel_cases()),
                                            ::testing::Values("interrupt", "polling")));

class CompiledContexts : public ::testing::TestWithParam<std::int64_t> {
  public:
    CompiledContexts() : bench("multithread") {
        bench.set(bench.configuration.core, "contexts", GetParam());
        bench.set_workload("threads", GetParam());
        bench.set_workload("reads", std::int64_t{60});
    }
    CompiledBench bench;
};

TEST_P(CompiledContexts, ReadWhatTheyWereToRead) {
    ASSERT_EQ(bench.outcome(hw::Cycles(200'000)), "right") << bench.console;
    const auto& statistics = bench.machine().node(hw::NodeId(1)).sparcle_core().statistics();
    EXPECT_GE(statistics.context_switches.value(), 60);
    // A trap that switches to a free context takes the full time; the free context's own switch is
    // counted in addition.
    EXPECT_EQ(statistics.switch_cycles.value(), 14 * statistics.context_switches.value());
}

TEST_P(CompiledContexts, WorkAfterEachRead) {
    bench.set_workload("work_cycles", std::int64_t{300});
    EXPECT_EQ(bench.outcome(hw::Cycles(200'000)), "right") << bench.console;
}

INSTANTIATE_TEST_SUITE_P(OnSparcle, CompiledContexts, ::testing::Values(1, 2, 3, 4));

TEST(ContextsOfAKernel, FindAWrongSum) {
    CompiledBench bench("multithread");
    bench.set_workload("reads", std::int64_t{8});
    ASSERT_EQ(bench.outcome(), "right");
    const std::uint32_t address = bench.kernel().image().address_of("multithread_sums");
    bench.machine().write_memory(hw::NodeId(2), address, std::vector<std::uint8_t>{0, 0, 0, 7});
    EXPECT_THAT(bench.kernel().check(bench.machine()).value_or("right"),
                Names("thread 0", "node 2", "sum", "7", "elements"));
}

// All contexts wait at the same time, so messages are taken in their switches.
TEST(ContextsOfAKernel, Poll) {
    CompiledBench bench("multithread");
    bench.set(bench.configuration.core, "receive_mode", std::string("polling"));
    bench.set_workload("threads", std::int64_t{3});
    bench.set_workload("reads", std::int64_t{48});
    EXPECT_EQ(bench.outcome(), "right");
}

TEST(CompiledKernel, SaysWhenDataDoNotFit) {
    CompiledBench bench("remap");
    bench.set(bench.configuration.memory, "bytes", std::int64_t{1'200'000});
    bench.set_workload("iterations", std::int64_t{20'000});
    EXPECT_THAT(bench.fault_of_data(), StartsWith("memory.bytes: the "));
}

TEST(CompiledKernel, SaysWhenNotEvenTheStackFits) {
    CompiledBench small("remap");
    small.set(small.configuration.memory, "bytes", std::int64_t{100'000});
    EXPECT_THAT(small.fault_of_data(), Names("accepted", "more"));
}

TEST(CompiledKernel, FindsAMessageThatWasCountedTwice) {
    CompiledBench bench("remap");
    bench.set_workload("iterations", std::int64_t{5});
    ASSERT_EQ(bench.outcome(), "right");
    const std::uint32_t address = bench.kernel().image().address_of("remap_replies_too_many");
    const std::vector<std::uint8_t> one{0, 0, 0, 1};
    bench.machine().write_memory(hw::NodeId(2), address, one);
    EXPECT_THAT(bench.kernel().check(bench.machine()),
                Optional(Names("node 2", "1", "replies", "many")));
}

TEST(CompiledKernel, FindsABodyThatIsMissing) {
    CompiledBench bench("remap");
    bench.set_workload("iterations", std::int64_t{5});
    bench.set_workload("body_bytes", std::int64_t{64});
    ASSERT_EQ(bench.outcome(), "right");
    const std::uint32_t address = bench.kernel().image().address_of("remap_bodies_stored");
    bench.machine().write_memory(hw::NodeId(1), address, std::vector<std::uint8_t>{0, 0, 0, 0});
    EXPECT_THAT(bench.kernel().check(bench.machine()).value_or("right"),
                StartsWith("node 1 received 0 bodies, "));
}

// After ten iterations the answer is in the array that even iterations read.
TEST(CompiledKernel, FindsAWrongPointOfAGrid) {
    CompiledBench bench("jacobi");
    bench.set_workload("grid", std::int64_t{8});
    ASSERT_EQ(bench.outcome(), "right");
    std::array<std::uint8_t, 4> word{};
    bench.machine().read_memory(hw::NodeId(1),
                                bench.kernel().image().address_of("weir_parameters") + 8 * 4, word);
    const std::uint32_t first = std::uint32_t{word[0]} << 24 | std::uint32_t{word[1]} << 16 |
                                std::uint32_t{word[2]} << 8 | word[3];
    bench.machine().write_memory(hw::NodeId(1), first, std::vector<std::uint8_t>{0xc0});
    EXPECT_THAT(bench.kernel().check(bench.machine()).value_or("right"),
                ContainsRegex("^row 2, column 0 .* -"));
}

TEST(CompiledKernel, RefusesAWaitThatJacobiDoesNotHave) {
    CompiledBench bench("jacobi");
    bench.set_workload("messages", std::string("long"));
    bench.set(bench.firmware_parameters, "body_send", std::string("interrupt"));
    EXPECT_THAT(bench.fault_of_data(), Names("firmware.body_send: ", "\"interrupt\"", "jacobi",
                                             "\"blocking\"", "\"status\""));
}

TEST(CompiledKernel, FindsANodeWithoutTheDatum) {
    CompiledBench bench("broadcast");
    ASSERT_EQ(bench.outcome(), "right");
    const std::uint32_t address = bench.kernel().image().address_of("weir_parameters");
    const std::vector<std::uint8_t> other{0, 0, 0, 1};
    bench.machine().write_memory(hw::NodeId(3), address, other);
    EXPECT_THAT(bench.kernel().check(bench.machine()).value_or("right"),
                Names("node 3", "1", "datum"));
}

TEST(ImageKernel, NeedsAProgram) {
    CompiledBench none("image");
    EXPECT_THAT(none.fault_of_data(), Names("workload.image: ", "no", "program"));
}

TEST(ImageKernel, RunsAProgramWithoutTheFirmware) {
    ProgramTestBench bench("bare");
    EXPECT_EQ(bench.outcome(), "right");
}

TEST(ImageKernel, RefusesArgumentsForAProgramWithoutTheFirmware) {
    ProgramTestBench bench("bare");
    bench.set_workload("arguments", std::vector<std::int64_t>{1});
    EXPECT_THAT(bench.fault_of_data(), HasSubstr("weir_boot"));
}

TEST(ImageKernel, RefusesAFileThatIsNotThere) {
    CompiledBench missing("image");
    missing.set_workload("image", std::string("no/such.elf"));
    EXPECT_THAT(missing.fault_of_data(), Names("no/such.elf: ", "read"));
}

}  // namespace
}  // namespace weir::firmware
