#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "experiments/commands/build_facts.h"
#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"
#include "hw/testing/test_cost.h"

namespace weir::experiments::commands {
namespace {

using nlohmann::json;
using weir::testing::Names;

class BenchCommandTest : public ProgramTest {
  protected:
    [[nodiscard]] json result_of(const Arguments& arguments) const {
        const ProgramEnd end = weir(arguments);
        EXPECT_EQ(end.status, 0) << end.error;
        return json::parse(end.output).at("benchmarks").at(0);
    }
};

// Sanitizers, or a program without optimisation, change counts of instructions and allocations.
// NDEBUG describes the program, since tests are always compiled without optimisation.
#if defined(WEIR_HAS_SANITIZERS) || !defined(NDEBUG)
constexpr bool kBuiltForSpeed = false;
#else
constexpr bool kBuiltForSpeed = true;
#endif

bool counts_instructions() {
    return kBuiltForSpeed && std::system("valgrind --version > /dev/null 2>&1") == 0;
}
constexpr const char* kCountsNone = "needs valgrind and a build without sanitizers";

TEST_F(BenchCommandTest, EmulatorAndPlainLoopDeliverTheSameAndAreCompared) {
    for (const char* name : {"network-8x8-0.02", "remap-32"}) {
        const json result = result_of({"bench", name, "--repetitions", "1", "--json"});
        EXPECT_EQ(result.at("name"), name);
        EXPECT_EQ(result.at("same_deliveries"), true);
        EXPECT_GT(result.at("messages_compared"), 1000);
        EXPECT_GT(result.at("time_over_plain_loop"), 0.0);
        for (const char* measure :
             {"cycles_per_second", "flit_hops_per_second", "ns_per_active_router_cycle"}) {
            EXPECT_GT(result.at("weir").at(measure), 0.0) << measure;
            EXPECT_GT(result.at("plain_loop").at(measure), 0.0) << measure;
        }
    }
}

TEST_F(BenchCommandTest, ATimedAccessTakesLessThanTenTimesAPlainOnesInstructions) {
    if (!counts_instructions()) {
        GTEST_SKIP() << kCountsNone;
    }
    const json result = result_of({"bench", "caches-two-levels", "--instructions", "--json"});
    EXPECT_LT(result.at("instructions_over_plain"), 10.0);
    EXPECT_GT(result.at("instructions_over_plain"), 1.0);
    EXPECT_GT(result.at("instructions_per_access"), 100.0);
}

TEST_F(BenchCommandTest, VirtualChannelsAreSetBesideThePlainLoopOnTheSameTraffic) {
    const json result =
        result_of({"bench", "virtual-channels-8x8-0.02", "--repetitions", "1", "--json"});
    EXPECT_EQ(result.at("name"), "virtual-channels-8x8-0.02");
    EXPECT_FALSE(result.contains("same_deliveries"));  // the plain loop has no virtual channels
    const double weir = result.at("weir").at("messages_per_second");
    const double plain = result.at("plain_loop").at("messages_per_second");
    EXPECT_NEAR(result.at("time_over_plain_loop").get<double>() * weir / plain, 1.0, 0.01);
}

TEST_F(BenchCommandTest, ProtocolStepsAreThoseOfTheTablesAlone) {
    const json result = result_of({"bench", "coherence", "--repetitions", "1", "--json"});
    EXPECT_EQ(result.at("name"), "coherence-32");
    EXPECT_GT(result.at("steps_per_second"), 0.0);
    EXPECT_GT(result.at("time_over_plain"), 1.0);
}

TEST_F(BenchCommandTest, RowsOfTheTraceAreSetBesidePlainStructures) {
    const json result = result_of({"bench", "trace-32", "--repetitions", "1", "--json"});
    EXPECT_GT(result.at("trace_over_machine"), 0.5);
    EXPECT_TRUE(result.contains("rows_per_second"));
    EXPECT_TRUE(result.contains("plain_rows_per_second"));
}

TEST_F(BenchCommandTest, ACoresInstructionTakesAtMost100OfTheHosts) {
    if (!counts_instructions()) {
        GTEST_SKIP() << kCountsNone;
    }
    const json result = result_of({"bench", "sparcle-32", "--instructions", "--json"});
    EXPECT_EQ(result.at("name"), "sparcle-32");
    EXPECT_LE(result.at("instructions_per_instruction"), 100.0);
    EXPECT_GT(result.at("instructions_per_instruction"), 20.0);
}

// A plain mesh moves worm by worm also in open-loop runs, which shows in their speed.
TEST_F(BenchCommandTest, OpenLoopRunsAreFasterThanFlitByFlit) {
    const json result = result_of({"bench", "open-loop-8x8-0.02", "--repetitions", "1", "--json"});
    EXPECT_EQ(result.at("name"), "open-loop-8x8-0.02");
    EXPECT_GT(result.at("flit_hops_per_second"), 0.0);
    EXPECT_GT(result.at("speed_over_flit_by_flit"), kBuiltForSpeed ? 2.0 : 0.0);
}

// A stub in place of BookSim 2: prints BookSim's output for a mesh whose accepted load equals the
// load in its file. The stub's run time grows with the number of cycles.
TEST_F(BenchCommandTest, ABookSimThatTheUserHasBuiltStandsBesideNetworks) {
    const std::string program = file("booksim").string();
    write("booksim",
          "#!/bin/sh\n"
          "period=$(sed -n 's/sample_period = \\([0-9]*\\);/\\1/p' \"$1\")\n"
          "i=0; while [ $i -lt $((period * 20)) ]; do i=$((i + 1)); done\n"
          "echo \"Time taken is $((2 * period)) cycles\"\n"
          "echo 'Accepted flit rate average = 0.02 (1 samples)'\n"
          "echo 'Hops average = 6.25 (1 samples)'\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const json result = result_of(
        {"bench", "network-8x8-0.02", "--booksim", program, "--repetitions", "1", "--json"});
    const json& booksim = result.at("booksim");
    EXPECT_GT(booksim.at("flit_hops_per_second"), 0.0);
    EXPECT_NEAR(
        result.at("speed_over_booksim").get<double>(),
        booksim.at("weir_in_turn").get<double>() / booksim.at("flit_hops_per_second").get<double>(),
        1e-6);
}

TEST_F(BenchCommandTest, AnotherProgramIsNoBookSim) {
    EXPECT_THAT(refused({"bench", "network-8x8-0.02", "--booksim", "/bin/true"}),
                Names("--booksim /bin/true", "0"));
    EXPECT_THAT(refused({"bench", "--booksim", "/no/booksim"}), Names("--booksim", "/no/booksim"));
}

TEST_F(BenchCommandTest, SharedMemoryIsComparedWithPrivateMemory) {
    const json result = result_of({"bench", "shared-32", "--repetitions", "1", "--json"});
    EXPECT_EQ(result.at("name"), "shared-32");
    EXPECT_GT(result.at("instructions_per_second"), 0.0);
    EXPECT_GT(result.at("rate_over_private"), 0.0);
}

TEST_F(BenchCommandTest, TheCachesAreComparedWithPlainOnes) {
    const json result = result_of({"bench", "caches", "--repetitions", "1", "--json"});
    EXPECT_EQ(result.at("name"), "caches-two-levels");
    EXPECT_GT(result.at("accesses_per_second"), 0.0);
    EXPECT_GT(result.at("time_over_plain"), 0.0);
}

// The cost of an active router-cycle depends neither on the network's size nor on idle routers.
// Instruction counts are deterministic; the tolerance covers the longer routes of messages.
TEST_F(BenchCommandTest, AnActiveRouterCycleCostsTheSameOnALargerMesh) {
    if (!counts_instructions()) {
        GTEST_SKIP() << kCountsNone;
    }
    const auto cost = [this](const std::string& name) {
        return result_of({"bench", name, "--instructions", "--json"})
            .at("instructions_per_active_router_cycle")
            .get<double>();
    };
    EXPECT_LT(cost("network-32x32-bisection-0.2") / cost("network-8x8-bisection-0.2"), 1.25);
}

TEST_F(BenchCommandTest, AFlitHopTakesAtMost120InstructionsAndAnIdleRouterNone) {
    if (!counts_instructions()) {
        GTEST_SKIP() << kCountsNone;
    }
    const ProgramEnd end = weir({"bench", "network-*-0.1", "--instructions",
                                 "--json"});  // 8x8 mesh, and one corner of a 32x32 mesh
    ASSERT_EQ(end.status, 0) << end.error;
    const json all = json::parse(end.output).at("benchmarks");
    ASSERT_EQ(all.size(), 2);
    EXPECT_LE(all.at(0).at("instructions_per_flit_hop"), 120.0);
    EXPECT_GT(all.at(0).at("instructions_per_flit_hop"), 20.0);
    EXPECT_EQ(all.at(1).at("reference"), all.at(0).at("name"));
    EXPECT_NEAR(all.at(1).at("active_router_cycle_over_reference"), 1.0, 0.02);
}

TEST_F(BenchCommandTest, AFlitHopOnVirtualChannelsTakesAtMost270Instructions) {
    if (!counts_instructions()) {
        GTEST_SKIP() << kCountsNone;
    }
    const json result =
        result_of({"bench", "virtual-channels-8x8-0.1", "--instructions", "--json"});
    EXPECT_LE(result.at("instructions_per_flit_hop"), kOptimisedAtLink ? 270.0 : 310.0);
    EXPECT_GT(result.at("instructions_per_flit_hop"), 50.0);
}

TEST_F(BenchCommandTest, ANodeAtRestTakesLessThan40Kilobytes) {
    if (!kBuiltForSpeed) {
        GTEST_SKIP() << "a build with sanitizers allocates otherwise";
    }
    const json result = result_of({"bench", "start-1024", "--repetitions", "1", "--json"});
    EXPECT_LT(result.at("bytes_per_node"), 40'000.0);
    EXPECT_GT(result.at("bytes_per_node"), 2'700.0);  // a node takes more than one sc_module
}

TEST_F(BenchCommandTest, APatternThatNothingMatchesIsRefused) {
    const ProgramEnd end = weir({"bench", "netwrk-8x8-0.1"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, Names("\"netwrk-8x8-0.1\"", "\"network-8x8-0.1\""));
}

WEIR_TESTS_COST("BenchCommandTest.ACoresInstruction", 17);

}  // namespace
}  // namespace weir::experiments::commands
