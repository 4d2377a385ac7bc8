// Experiments on instruction-set cores: compiled kernels, their behavioural twins, and faults of
// programs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using nlohmann::json;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::weir::testing::Names;

constexpr const char* kFourNodes =
    "extends = \"sparcle\"\n[machine]\nnodes = 4\n[network]\ndimensions = [2, 2]\n[workload]\n";

class SparcleRunTest : public ProgramTest {
  protected:
    static std::string experiment(const std::string& name) {
        return std::string(WEIR_EXPERIMENTS) + "/sparcle/" + name;
    }
    static double measured(const json& result, const std::string& metric) {
        return result.at("measured").at(metric).get<double>();
    }
};

TEST_F(SparcleRunTest, SendOverheadsAndLatencyComeOutOfTheInstructions) {
    const json result = result_of(experiment("table1-ping.toml"), {"--set", "run.seeds=[1]"});
    EXPECT_EQ(measured(result, "send_overhead_cycles_0"), 9.0);
    EXPECT_EQ(measured(result, "send_overhead_cycles_1"), 12.0);
    EXPECT_EQ(measured(result, "send_overhead_cycles_2"), 15.0);
    EXPECT_EQ(measured(result, "latency_cycles"), 21.0);
    // Entry and exit as listed by weir firmware, their loads, and a handler of 11 cycles.
    EXPECT_EQ(measured(result, "receive_overhead_cycles_0"), 14 + 2 + 3 + 4 + 11 + 3 + 12);
}

TEST_F(SparcleRunTest, ALongMessageIsSentInTwentyFiveCycles) {
    const json result =
        result_of(experiment("table2-body.toml"),
                  {"--set", "workload.pairs=one", "--set", "workload.body_bytes=[1024]"});
    EXPECT_EQ(measured(result, "long_send_overhead_cycles"), 25.0);
}

TEST_F(SparcleRunTest, ContextsHideTheNetwork) {
    const json points = result_of(experiment("context-switching.toml"),
                                  {"--set", "machine.nodes=8", "--set", "network.dimensions=[4,2]",
                                   "--set", "workload.reads=240"})
                            .at("points");
    ASSERT_EQ(points.size(), 4U);
    const double alone = measured(points[0], "cycles_per_operation");
    for (std::size_t i = 1; i < points.size(); ++i) {
        EXPECT_LT(measured(points[i], "cycles_per_operation"), 0.85 * alone) << i + 1;
    }
}

struct Twins {
    const char* compiled;
    const char* behavioural;
    std::vector<std::string> metrics;
};

class TwinTest : public SparcleRunTest, public ::testing::WithParamInterface<Twins> {
  protected:
    static void compare(const json& compiled, const json& behavioural, const std::string& metric) {
        const double value = measured(compiled, metric);
        EXPECT_NEAR(measured(behavioural, metric) / value, 1.0, 0.02) << metric << ": " << value;
    }
};

TEST_P(TwinTest, BothKindsOfCoreAgreeWithinTwoPerCent) {
    const auto run = [&](const char* file) {
        return result_of(experiment(file), {"--set", "memory.caches=0", "--set", "run.seeds=[1]"});
    };
    const json compiled = run(GetParam().compiled);
    const json behavioural = run(GetParam().behavioural);
    for (const std::string& metric : GetParam().metrics) {
        if (!compiled.contains("points")) {
            compare(compiled, behavioural, metric);
            continue;
        }
        for (std::size_t i = 0; i < compiled.at("points").size(); ++i) {
            compare(compiled.at("points")[i], behavioural.at("points")[i], metric);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, TwinTest,
    ::testing::Values(Twins{"table1-ping.toml",
                            "twin-ping.toml",
                            {"latency_cycles", "send_overhead_cycles_2",
                             "receive_overhead_cycles_0", "receive_overhead_cycles_1",
                             "receive_overhead_cycles_2"}},
                      Twins{"table2-body.toml",
                            "twin-body.toml",
                            {"long_send_overhead_cycles", "long_receive_overhead_cycles",
                             "first_byte_latency_cycles", "gap_cycles_per_byte"}},
                      Twins{"sync-remap.toml", "twin-sync-remap.toml", {"cycles_per_iteration"}},
                      Twins{"async-remap.toml", "twin-async-remap.toml", {"cycles_per_iteration"}},
                      Twins{"jacobi.toml", "twin-jacobi.toml", {"cycles_per_operation"}}),
    [](const auto& tested) {
        std::string name = tested.param.compiled;
        std::erase_if(name, [](char c) { return std::isalnum(c) == 0; });
        return name;
    });

// The preset and the twins have the costs that weir firmware reads from the instructions.
TEST_F(SparcleRunTest, TheTwinsCostsAreThoseOfTheFirmware) {
    const std::string ping = output_of({"firmware", experiment("table1-ping.toml")});
    EXPECT_THAT(ping, HasSubstr("entry_cycles = 14\ndispatch_cycles = 4\nexit_cycles = 12\n"));
    EXPECT_THAT(ping, HasSubstr("handler_work_cycles = [11, 14, 16]\n"));
    EXPECT_THAT(output_of({"firmware", experiment("table2-body.toml")}),
                HasSubstr("exit_cycles = 22\n\n[workload]\nhandler_work_cycles = 30\n"));
    EXPECT_THAT(output_of({"firmware", experiment("sync-remap.toml")}),
                HasSubstr("handler_work_cycles = 50\nloop_cycles = 47\n"));
    EXPECT_THAT(output_of({"firmware", experiment("async-remap.toml")}),
                HasSubstr("save_cycles = 6\nsave_word_cycles = 9\n\n[workload]\n"
                          "handler_work_cycles = 38\nloop_cycles = 42\n"));
}

class SparcleDeterminismTest : public SparcleRunTest,
                               public ::testing::WithParamInterface<const char*> {};

// A core may run ahead of the machine's time, up to the next cycle in which anything could affect
// it. The trace of such a core equals that of a core that executes one instruction in each tick.
// The order of ticks has no effect either.
TEST_P(SparcleDeterminismTest, RunningAheadAndTheOrderOfTicksChangeNothing) {
    write("experiment.toml", std::string(kFourNodes) + GetParam());
    const auto digest = [&](const char* name, const char* setting) {
        static_cast<void>(output_of({"run", "experiment.toml", "--out", name, "--set", setting}));
        return digests_of(name);
    };
    const std::string ahead = digest("ahead", "sparcle.run_ahead=true");
    EXPECT_EQ(digest("stepped", "sparcle.run_ahead=false"), ahead);
    EXPECT_EQ(digest("reversed", "clock.tick_order=reversed"), ahead);
    EXPECT_EQ(digest("shuffled", "clock.tick_order=shuffled"), ahead);
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, SparcleDeterminismTest,
    ::testing::Values("kernel = \"remap\"\niterations = 30\n",
                      "kernel = \"remap\"\niterations = 30\nstyle = \"asynchronous\"\n",
                      "kernel = \"body-ping\"\nbody_bytes = [64, 1024]\n",
                      "kernel = \"remap\"\niterations = 30\n[core]\nreceive_mode = \"polling\"\n",
                      "kernel = \"spmv\"\nrows = 30\nnonzeros = 200\n",
                      "kernel = \"jacobi\"\ngrid = 12\niterations = 4\n",
                      "kernel = \"multithread\"\nreads = 60\nthreads = 3\n[core]\ncontexts = 3\n",
                      "kernel = \"remap\"\niterations = 60\nstyle = \"asynchronous\"\n"
                      "argument_words = 8\n[controller]\noverflow_trap = true\n"
                      "overflow_timeout_cycles = 32\n"),
    [](const auto& tested) { return "Kernel" + std::to_string(tested.index); });

TEST_F(SparcleRunTest, CompiledKernelsGiveTheirTwinsAnswers) {
    for (const char* kernel : {"kernel = \"spmv\"\nrows = 30\nnonzeros = 200\n",
                               "kernel = \"diamond-dag\"\ntasks_per_side = 32\nblocks = 4\n",
                               "kernel = \"jacobi\"\ngrid = 8\n",
                               "kernel = \"jacobi\"\ngrid = 8\nmessages = \"long\"\n"}) {
        write("experiment.toml", std::string(kFourNodes) + kernel);
        EXPECT_EQ(weir({"run", "experiment.toml"}).status, 0) << kernel;
    }
}

// No program of the firmware changes its own text.
TEST_F(SparcleRunTest, ThreadsInContextsPollWithAllChecksOn) {
    write("experiment.toml", std::string(kFourNodes) +
                                 "kernel = \"multithread\"\nreads = 60\nthreads = 3\n"
                                 "[core]\ncontexts = 3\nreceive_mode = \"polling\"\n"
                                 "[sparcle]\ncheck_uninitialised = true\n");
    const ProgramEnd end = weir({"run", "experiment.toml"});
    EXPECT_EQ(end.status, 0) << end.error;
}

TEST_F(SparcleRunTest, CompiledKernelsRunWithoutAFloatUnit) {
    for (const char* kernel :
         {"kernel = \"spmv\"\nrows = 30\nnonzeros = 200\n", "kernel = \"ping\"\n",
          "kernel = \"jacobi\"\ngrid = 8\n",
          "kernel = \"multithread\"\nreads = 60\nthreads = 3\n[core]\ncontexts = 3\n"}) {
        write("experiment.toml", std::string(kFourNodes) + kernel);
        EXPECT_EQ(
            weir({"run", "experiment.toml", "--set", "sparcle.floating_point_unit=false"}).status,
            0)
            << kernel;
    }
}

// All cycles of all nodes, up to each node's end, are attributed.
TEST_F(SparcleRunTest, AProfileAccountsForEveryCycle) {
    write("experiment.toml", std::string(kFourNodes) + "kernel = \"remap\"\niterations = 20\n");
    const std::string shown = output_of(
        {"profile", "experiment.toml", "--out", "run", "--set", "trace.instructions=true"});
    EXPECT_THAT(shown, HasSubstr("message_interrupt"));
    EXPECT_THAT(shown, HasSubstr("\n  remap.c:"));  // after the names of its folders
    const std::string stacks = read("run/point-01-seed-1/profile.folded");
    EXPECT_THAT(stacks,
                ContainsRegex("node 3;boot;main;[^;\n]*interrupt[^;\n]*;[^;\n]*trap[^;\n]* "));
    EXPECT_THAT(stacks, HasSubstr("message_dispatch;request;firmware/kernels/remap/remap.c:"));
    std::istringstream folded(stacks);
    std::int64_t sum = 0;
    for (std::string line; std::getline(folded, line);) {
        sum += std::stoll(line.substr(line.rfind(' ')));
    }
    std::int64_t all = 0;
    for (int node = 0; node < 4; ++node) {
        std::istringstream instructions(
            read("run/point-01-seed-1/instructions-" + std::to_string(node) + ".csv"));
        std::int64_t next = 0;
        std::string line;
        std::getline(instructions, line);
        while (std::getline(instructions, line)) {
            long begin = 0;
            long cycles = 0;
            ASSERT_EQ(std::sscanf(line.c_str(), "%ld,%ld", &begin, &cycles), 2) << line;
            ASSERT_EQ(begin, next) << line;
            next = begin + cycles;
        }
        all += next;
    }
    EXPECT_GT(all, 0);
    EXPECT_EQ(sum, all);

    const std::string first = read("run/point-01-seed-1/instructions-0.csv");
    EXPECT_THAT(first, StartsWith("cycle,cycles,pc,word,instead,trap_type,place,instruction\n"));
    EXPECT_THAT(first, HasSubstr(",00000000,a1480000,,,weir_trap_table+0x0,\"rd %psr, %l0\"\n"));
    EXPECT_THAT(read("run/point-01-seed-1/listing.txt"),
                HasSubstr("00000000  a1480000  rd %psr, %l0   "));
}

/// Block of firmware/README.md from a fence of this language, followed by this line, to the next
/// fence.
std::string block_of_readme(const std::string& language, const std::string& first_line) {
    std::ifstream file(WEIR_README);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::size_t fence = text.find("```" + language + "\n" + first_line);
    EXPECT_NE(fence, std::string::npos) << first_line;
    const std::size_t begin = text.find('\n', fence) + 1;
    return text.substr(begin, text.find("```", begin) - begin);
}

TEST_F(SparcleRunTest, TheReadmesProgramIsCompiledAndRuns) {
    write("sum.c", block_of_readme("c", "#include \"firmware/sparcle/active_messages.h\""));
    write("sum.toml", block_of_readme("toml",
                                      "extends = \"sparcle\"\n\n[workload]\n"
                                      "kernel = \"image\""));
    EXPECT_THAT(output_of({"compile", "sum.c"}), HasSubstr("sum.elf: "));
    static_cast<void>(output_of({"run", "sum.toml", "--out", "run"}));
    EXPECT_THAT(read("run/point-01-seed-1/console.txt"), HasSubstr("sum 528 after "));

    // Compiled normally, the program needs the floating-point unit.
    const Arguments without_unit{"run",   "sum.toml", "--set", "sparcle.floating_point_unit=false",
                                 "--out", "other"};
    EXPECT_EQ(weir(without_unit).status, 2);
    static_cast<void>(output_of({"compile", "sum.c", "--soft-float"}));
    static_cast<void>(output_of(without_unit));
    EXPECT_THAT(read("other/point-01-seed-1/console.txt"), HasSubstr("sum 528 after "));
}

TEST_F(SparcleRunTest, AtomicOperationsOfAllNodesLoseNothing) {
    const auto count_by = [this](const std::string& source) {
        write("add.c", source);
        static_cast<void>(output_of({"compile", "--shared-memory", "add.c"}));
        write("add.toml",
              "extends = \"alewife-shared\"\n[machine]\nnodes = 8\n[network]\n"
              "dimensions = [4, 2]\n[core]\nkind = \"sparcle\"\n[workload]\n"
              "kernel = \"image\"\nimage = \"add.elf\"\nshares_memory = true\n");
        std::filesystem::remove_all(file("run"));
        static_cast<void>(output_of({"run", "add.toml", "--out", "run"}));
        return read("run/point-01-seed-1/console.txt");
    };
    EXPECT_EQ(count_by(block_of_readme("c", "#include <stdatomic.h>")), "0: 800 of 800\n");
    for (const char* add :
         {"__atomic_fetch_add(n, 1, __ATOMIC_SEQ_CST)", "__sync_fetch_and_add(n, 1)"}) {
        EXPECT_EQ(count_by("#include \"firmware/sparcle/shared_memory.h\"\n"
                           "static struct shared_barrier barrier;\n"
                           "int main(void) {\n"
                           "    shared_barrier_make(&barrier);\n"
                           "    volatile uint32_t* const n = shared_line(0);\n"
                           "    shared_barrier_meet(&barrier);\n"
                           "    for (int i = 0; i < 100; ++i) " +
                           std::string(add) +
                           ";\n"
                           "    shared_barrier_meet(&barrier);\n"
                           "    if (weir_node() == 0) {\n"
                           "        console_printf(\"%d of %d\\n\", *n, 100 * weir_nodes);\n"
                           "    }\n"
                           "    return 0;\n"
                           "}\n"),
                  "0: 800 of 800\n")
            << add;
    }
}

TEST_F(SparcleRunTest, WhatCannotBeCompiledLeavesNoProgram) {
    write("wrong.c", "int main(void) { return nothing; }\n");
    const ProgramEnd wrong = weir({"compile", "wrong.c", "-o", "program.elf"});
    EXPECT_EQ(wrong.status, 2);
    EXPECT_THAT(wrong.error, HasSubstr("wrong.c:1"));
    EXPECT_THAT(wrong.error, HasSubstr("program.elf"));
    EXPECT_FALSE(std::filesystem::exists(file("program.elf")));

    EXPECT_THAT(weir({"compile", "missing.c"}).error, Names("weir", "missing.c:", "file"));
    EXPECT_THAT(weir({"compile", "wrong.f90"}).error, Names("weir", "wrong.f90:", "kind"));
}

TEST_F(SparcleRunTest, WhatIsNoProgramIsRefused) {
    write("text.elf", "no program");
    write("experiment.toml",
          std::string(kFourNodes) + "kernel = \"image\"\nimage = \"text.elf\"\n");
    const ProgramEnd end = weir({"run", "experiment.toml"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, HasSubstr("text.elf"));
    EXPECT_THAT(end.error, HasSubstr("ELF"));
}

TEST_F(SparcleRunTest, AKernelThatIsNotCompiledIsNamed) {
    write("experiment.toml", std::string(kFourNodes) + "kernel = \"flood\"\n");
    const ProgramEnd end = weir({"run", "experiment.toml"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, HasSubstr("flood"));
    EXPECT_THAT(end.error, HasSubstr("ping"));
}

TEST_F(SparcleRunTest, ACycleLimitSaysWhereProgramsAre) {
    write("experiment.toml", std::string(kFourNodes) +
                                 "kernel = \"remap\"\niterations = 1000\n"
                                 "[run]\nmost_cycles = 3000\n");
    const ProgramEnd end = weir({"run", "experiment.toml"});
    EXPECT_EQ(end.status, 3);
    EXPECT_THAT(end.error, HasSubstr("run.most_cycles"));
    EXPECT_THAT(end.error, HasSubstr("node 3 at 0x"));
}

}  // namespace
}  // namespace weir::experiments
